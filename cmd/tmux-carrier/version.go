package main

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (p *program) versionVerb() *cobra.Command {
	return p.verb("version", "The version of this program", 0, 0,
		func(context.Context, []string) error {
			v := struct {
				Version string `json:"version"`
				Commit  string `json:"commit"` // "": not known
				Go      string `json:"go"`
			}{Version: "unknown", Go: runtime.Version()}
			if info, ok := debug.ReadBuildInfo(); ok {
				v.Version = info.Main.Version
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						v.Commit = s.Value
					}
				}
			}
			p.print(v, "tmux-carrier "+v.Version+" "+v.Go)
			return nil
		})
}
