package rpp

import (
	"encoding/json"
	"reflect"
	"testing"
)

// RPP-7, SES (issue 5): exactly the keys of the specification, an empty env value
// sent, what we do not know forwarded as it came.
func TestStartConfigJSON(t *testing.T) {
	t.Parallel()
	full := StartConfig{
		WorkDir: "/w", Command: "c <&>", Lifecycle: LifecycleOneShot, Env: map[string]string{"B": "", "A": "1"},
		ProcessNames: []string{"p"}, Nudge: "n", ReadyPromptPrefix: "❯ ", ReadyDelayMS: 5, PreStart: []string{"a"},
		SessionSetup: []string{"b"}, SessionSetupScript: "/s", SessionLive: []string{"l"}, PackOverlayDirs: []string{"/o"},
		OverlayDir: "/v", CopyFiles: []CopyFile{{Src: "/x", RelDst: "y"}, {Src: "/z"}}, WorkDirExclude: []string{".gc/**"},
		Extra: map[string]json.RawMessage{"zz": json.RawMessage(`{"b":1, "a":1e400}`), "new": json.RawMessage(`null`), "command": json.RawMessage(`"mine"`), "Command": json.RawMessage(`1`)},
	}
	const want = `{"work_dir":"/w","command":"c \u003c\u0026\u003e","lifecycle":"one_shot","env":{"A":"1","B":""},` +
		`"process_names":["p"],"nudge":"n","ready_prompt_prefix":"❯ ","ready_delay_ms":5,"pre_start":["a"],` +
		`"session_setup":["b"],"session_setup_script":"/s","session_live":["l"],"pack_overlay_dirs":["/o"],` +
		`"overlay_dir":"/v","copy_files":[{"src":"/x","rel_dst":"y"},{"src":"/z"}],"work_dir_exclude":[".gc/**"],` +
		`"Command":1,"new":null,"zz":{"b":1,"a":1e400}}`
	got, err := json.Marshal(full)
	if string(got) != want || err != nil {
		t.Fatalf("got  %s, %v\nwant %s", got, err, want)
	}
	var back StartConfig
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	delete(full.Extra, "command") // the field counted
	full.Extra["zz"] = json.RawMessage(`{"b":1,"a":1e400}`)
	if !reflect.DeepEqual(back, full) {
		t.Errorf("got  %+v\nwant %+v", back, full)
	}
	for in, want := range map[string]string{
		`{}`: `{}`, `null`: `{}`, `{"x":1}`: `{"x":1}`, `{"x":1,"command":""}`: `{"x":1}`, `{"COMMAND":"x"}`: `{"COMMAND":"x"}`,
	} {
		var c StartConfig
		err := json.Unmarshal([]byte(in), &c)
		if out, _ := json.Marshal(c); string(out) != want || err != nil {
			t.Errorf("%s: got %s, %v", in, out, err)
		}
	}
	for _, in := range []string{``, `[]`, `{"command":1}`, `{"env":{"A":1}}`, `{"ready_delay_ms":"1"}`, `{} {}`} {
		if err := json.Unmarshal([]byte(in), new(StartConfig)); err == nil {
			t.Errorf("%s: no error", in)
		}
	}
}

// RPP-7: what was read is what is written, and is read again.
func FuzzStartConfig(f *testing.F) {
	for _, s := range []string{
		`{}`, `null`, `{"command":"x","new":[1,{"a":null}],"env":{"A":""}}`, `{"Command":"y","command":"x"}`,
		`{"":0}`, `{"\u0000":"\ud800"}`, `{"copy_files":[{"src":"a","more":1}]}`, "{\"\xff\":1}", `{"a":1,"a":2}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var first, second StartConfig
		if json.Unmarshal(data, &first) != nil {
			return
		}
		written, err := json.Marshal(first)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if err := json.Unmarshal(written, &second); err != nil {
			t.Fatalf("%q became %q: %v", data, written, err)
		}
		again, err := json.Marshal(second)
		if err != nil || string(again) != string(written) {
			t.Fatalf("%q became %q, then %q (%v)", data, written, again, err)
		}
		var in map[string]any
		var out map[string]any
		if json.Unmarshal(data, &in) != nil || json.Unmarshal(written, &out) != nil {
			return // a number that no float64 holds
		}
		for key, value := range in {
			if !configKeys[key] && !reflect.DeepEqual(out[key], value) {
				t.Fatalf("%q lost %q: %q", data, key, written)
			}
		}
	})
}
