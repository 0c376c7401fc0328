package rpp

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// plainConfig is StartConfig without its methods.
type plainConfig StartConfig

// configKeys are the keys of the specification, as the struct's tags have them.
var configKeys = func() map[string]bool {
	keys := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[plainConfig]()) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "-" {
			keys[name] = true
		}
	}
	return keys
}()

// MarshalJSON writes the known keys in the specification's order, then Extra's by
// name. A key of Extra that is a known one does not count: the field does.
func (c StartConfig) MarshalJSON() ([]byte, error) {
	known, err := json.Marshal(plainConfig(c))
	if err != nil || len(c.Extra) == 0 {
		return known, err
	}
	b := bytes.NewBuffer(bytes.TrimSuffix(known, []byte("}")))
	for _, key := range slices.Sorted(maps.Keys(c.Extra)) {
		if configKeys[key] {
			continue
		}
		pair, err := json.Marshal(map[string]json.RawMessage{key: c.Extra[key]})
		if err != nil {
			return nil, err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(pair[1 : len(pair)-1])
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads the known keys, by their exact names (encoding/json would
// take "COMMAND" for command), and keeps the others in Extra.
func (c *StartConfig) UnmarshalJSON(data []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	*c = StartConfig{}
	var extra map[string]json.RawMessage
	for key, value := range all {
		if configKeys[key] {
			continue
		}
		if extra == nil {
			extra = map[string]json.RawMessage{}
		}
		extra[key] = value
		delete(all, key)
	}
	known, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(known, (*plainConfig)(c)); err != nil {
		return err
	}
	c.Extra = extra
	return nil
}
