package browsertest

import (
	"os/exec"
	"strings"
	"testing"
)

// No process of a browser is left after it was stopped.
func TestStop(t *testing.T) {
	b, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("open", func(t *testing.T) { b.Open(t, View{}) })
	if running := membersOf(b.group); len(running) < 2 {
		t.Errorf("%q run, want the browser and those that it starts", running)
	}
	if err := b.Stop(); err != nil {
		t.Error(err)
	}
	if left := membersOf(b.group); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A process of the group that stays is reported and killed.
func TestEndGroup(t *testing.T) {
	stray := exec.Command("sleep", "1000")
	stray.SysProcAttr = attributes()
	if err := stray.Start(); err != nil {
		t.Fatal(err)
	}
	if err := endGroup(stray.Process.Pid); err == nil || !strings.Contains(err.Error(), "sleep 1000") {
		t.Errorf("got %v, want the command that stayed", err)
	}
	if err := stray.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("ended with %v, want it killed", err)
	}
	if err := endGroup(stray.Process.Pid); err != nil {
		t.Error(err)
	}
}
