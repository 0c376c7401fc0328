package session

import (
	"context"
	"fmt"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/rpp"
)

// ID is the identity of a session, as the start config's env carries it.
type ID struct {
	Session  string `json:"session_id"`     // GC_SESSION_ID
	Instance string `json:"instance_token"` // GC_INSTANCE_TOKEN: a secret, not for logs
	Epoch    string `json:"runtime_epoch"`  // GC_RUNTIME_EPOCH
}

// Identity asks which session a box belongs to. Empty fields are unset, as they are for
// a session that does not exist; an error means that it cannot be told, and is not to be
// taken for unset (SES-5).
func Identity(ctx context.Context, runtime *rpp.Provider, name string) (ID, error) {
	var id ID
	for key, field := range id.fields() {
		value, err := runtime.GetMeta(ctx, name, key)
		if err != nil {
			return ID{}, fmt.Errorf("session %q: its identity cannot be told: %w", name, err)
		}
		*field = value
	}
	return id, nil
}

// IDOf is the identity in a start config's env.
func IDOf(env map[string]string) ID {
	var id ID
	for key, field := range id.fields() {
		*field = env[key]
	}
	return id
}

func (id *ID) fields() map[string]*string {
	return map[string]*string{
		"GC_SESSION_ID":     &id.Session,
		"GC_INSTANCE_TOKEN": &id.Instance,
		"GC_RUNTIME_EPOCH":  &id.Epoch,
	}
}

// Token is the fence of the incarnation that it names; "" if it names none: a session
// without an instance token has the same identity in every life.
func (id ID) Token() fence.Token {
	if id.Instance == "" {
		return ""
	}
	return fence.IdentityToken(id.Session, id.Epoch, id.Instance)
}
