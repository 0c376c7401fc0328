package rpp

import "encoding/json"

// StartConfig is what start and provision read on standard input, as JSON.
// Every key is optional and left out when empty; keys are those of the
// specification's section "Start Config".
type StartConfig struct {
	WorkDir   string `json:"work_dir,omitempty"`
	Command   string `json:"command,omitempty"`
	Lifecycle string `json:"lifecycle,omitempty"` // "" or LifecycleOneShot

	// Env is applied over the box's own environment. An EMPTY value means
	// "unset this variable", and is sent (RPP-7).
	Env map[string]string `json:"env,omitempty"`

	ProcessNames       []string   `json:"process_names,omitempty"`
	Nudge              string     `json:"nudge,omitempty"`
	ReadyPromptPrefix  string     `json:"ready_prompt_prefix,omitempty"`
	ReadyDelayMS       int        `json:"ready_delay_ms,omitempty"`
	PreStart           []string   `json:"pre_start,omitempty"`
	SessionSetup       []string   `json:"session_setup,omitempty"`
	SessionSetupScript string     `json:"session_setup_script,omitempty"` // a path on the orchestrator's host
	SessionLive        []string   `json:"session_live,omitempty"`
	PackOverlayDirs    []string   `json:"pack_overlay_dirs,omitempty"`
	OverlayDir         string     `json:"overlay_dir,omitempty"`
	CopyFiles          []CopyFile `json:"copy_files,omitempty"`
	WorkDirExclude     []string   `json:"work_dir_exclude,omitempty"`

	// Extra holds the keys that are not above, as they were read: a newer gc's go
	// through to the runtime unchanged.
	Extra map[string]json.RawMessage `json:"-"`
}

// LifecycleOneShot marks a command that ends after its prompt (SES-6).
const LifecycleOneShot = "one_shot"

// CopyFile is one entry of copy_files: a host path and where it goes, relative
// to the session's work_dir.
type CopyFile struct {
	Src    string `json:"src"`
	RelDst string `json:"rel_dst,omitempty"`
}
