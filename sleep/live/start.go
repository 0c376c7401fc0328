package live

import (
	"encoding/json"
	"fmt"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// StartConfig reads a [session.start]: the keys of gc's start config, in TOML. Keys that
// nobody here knows go to the runtime as they are.
func StartConfig(start map[string]any) (rpp.StartConfig, error) {
	var c rpp.StartConfig
	if start == nil {
		return c, nil
	}
	text, err := json.Marshal(start)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		// Not the text: its env may hold secrets. Go's error names key and type only.
		return rpp.StartConfig{}, fmt.Errorf("start: %w", err)
	}
	return c, nil
}
