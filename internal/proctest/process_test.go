package proctest

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A child gets the variables of the test, is stopped and woken, reads what was written meanwhile, and is killed.
func TestProcess(t *testing.T) {
	c := Start(t, "echo", "ECHO_PREFIX=> ")
	c.Say(t, "one")
	if got := c.Line(t); got != "> one" {
		t.Errorf("got %q", got)
	}
	c.Pause(t)
	stopped(t, c)
	c.Say(t, "two")
	c.Wake(t)
	if got := c.Line(t); got != "> two" {
		t.Errorf("got %q", got)
	}
	c.Kill(t)
	if !c.Lived() {
		t.Error("it did not live until it was killed")
	}
}

// stopped waits until the kernel has stopped a child. Only Linux shows that.
func stopped(t *testing.T, c *Process) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	for began := time.Now(); ; <-time.After(time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(stat), ") T ") {
			return
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("the child is not stopped after a minute: %s", stat)
		}
	}
}

// A child that has ended before it is killed fails its test, because a proof would then prove nothing.
func TestEndedByItself(t *testing.T) {
	for _, tt := range []struct {
		role, says    string
		failed, noted int
	}{
		{"done", "exit status 0", 1, 0},
		{"fails", "no disk", 1, 0},
		{"no such role", `no role "no such role"`, 1, 0},
		{"crashes", "ThreadSanitizer", 0, 1}, // the detector's own defect is as good as being killed
	} {
		c := Start(t, tt.role)
		<-c.Ended()
		r := &recorder{}
		c.Kill(r)
		if len(r.failed) != tt.failed || len(r.logged) != tt.noted || c.Lived() {
			t.Errorf("%s: %d failures, %d notes, lived %v", tt.role, len(r.failed), len(r.logged), c.Lived())
		}
		if text := strings.Join(append(r.failed, r.logged...), ""); !strings.Contains(text, tt.says) {
			t.Errorf("%s: %q does not say %q", tt.role, text, tt.says)
		}
	}
}

func TestRun(t *testing.T) { Run(t, "done") }

// A child does not outlive a test that is killed.
func TestDiesWithParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux kills a child when its parent dies")
	}
	c := Start(t, "parent")
	address := c.Line(t)
	c.Kill(t)
	for began := time.Now(); ; <-time.After(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		_ = conn.Close()
		if time.Since(began) > time.Minute {
			t.Fatal("the child listens a minute after its parent was killed")
		}
	}
}
