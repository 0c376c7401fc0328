package fence

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Token names one incarnation of an agent: 1 to 128 of [A-Za-z0-9._:/=+@-], the
// alphabet that no tmux format, list or shell gives a meaning to (FEN-2).
type Token string

const maxToken = 128

// ParseToken checks a token that came from outside.
func ParseToken(s string) (Token, error) {
	if s == "" || len(s) > maxToken {
		return "", fmt.Errorf("a fence token has 1 to %d characters, not %d", maxToken, len(s))
	}
	if i := strings.IndexFunc(s, func(r rune) bool { return !inAlphabet(r) }); i >= 0 {
		return "", fmt.Errorf("a fence token is made of A-Z a-z 0-9 . _ : / = + @ -; byte %d is none of them", i)
	}
	return Token(s), nil
}

func inAlphabet(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r < 0x80 && strings.ContainsRune("._:/=+@-", r)
}

// NewToken is a random token.
func NewToken() Token { return Token("gc-" + rand.Text()) }

// IdentityToken is the token of an incarnation that the orchestrator knows by its
// session id, epoch and instance token. The same three give the same token; the
// instance token, a secret, does not show in it.
func IdentityToken(sessionID, epoch, instanceToken string) Token {
	h := sha256.New()
	for _, part := range []string{sessionID, epoch, instanceToken} {
		fmt.Fprintf(h, "%d:%s,", len(part), part)
	}
	return Token("gc-" + hex.EncodeToString(h.Sum(nil)[:20]))
}
