package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gastownhall/tmux-carrier/prompt"
)

// SES-3: what real agents' screens are answered with, and which are left alone.
func TestAnswers(t *testing.T) {
	tests := []struct{ file, option, key string }{
		{"claude-2.1-trust", "Yes, I trust this folder", "Down"},
		{"claude-2.1-trust-80x24", "Yes, I trust this folder", "Down"},
		{"claude-2.1-bypass", "Yes, I accept", "Down"},
		{"claude-2.1-bypass-yes", "Yes, I accept", "Enter"},
		{"claude-1.0-trust", "Yes, proceed", "Enter"},
		{"gemini-trust", "Trust folder (", "Enter"},
		{"qwen-trust", "Trust folder (", "Enter"},
		{"copilot-trust", "Yes", "Enter"},

		{"claude-2.1-idle", "", ""},
		{"claude-2.1-permission", "", ""},
		{"codex-login", "", ""},
		{"amp-login", "", ""},
		{"cline-promo", "", ""},
		{"cline-login", "", ""},
	}
	for _, tt := range tests {
		screen, err := os.ReadFile(filepath.Join("testdata", tt.file+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		v := prompt.Classify(prompt.Observation{Screen: string(screen)}, prompt.Options{})
		a, ok := answerTo(string(screen), v)
		key := ""
		if ok {
			key, _ = a.key(string(screen))
		}
		if a.option != tt.option || key != tt.key {
			t.Errorf("%s: %v: %q by %q, want %q by %q", tt.file, v, a.option, key, tt.option, tt.key)
		}
	}
}
