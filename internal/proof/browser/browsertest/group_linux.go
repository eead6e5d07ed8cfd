package browsertest

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// attributes make a process the first of a group, which ends with the process of the test.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// endGroup waits a little for the end of the processes of a group whose first has ended, and kills those that stay.
func endGroup(group int) error {
	const grace, pause = 2 * time.Second, 10 * time.Millisecond
	for left := grace; ; left -= pause {
		members := membersOf(group)
		switch {
		case len(members) == 0:
			return nil
		case left <= 0:
			_ = syscall.Kill(-group, syscall.SIGKILL) // they may have ended meanwhile
			return fmt.Errorf("browsertest: processes of the browser did not end with it: %s", strings.Join(members, "; "))
		}
		time.Sleep(pause)
	}
}

// membersOf returns the commands of the processes of a group that run.
func membersOf(group int) (commands []string) {
	processes, _ := os.ReadDir("/proc") // without it nothing is found
	for _, p := range processes {
		if _, err := strconv.Atoi(p.Name()); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + p.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name may have spaces: state, parent, group
		if len(fields) < 3 || string(fields[2]) != strconv.Itoa(group) || fields[0][0] == 'Z' || fields[0][0] == 'X' {
			continue
		}
		command, _ := os.ReadFile("/proc/" + p.Name() + "/cmdline") // empty if it ends now
		commands = append(commands, p.Name()+" "+string(bytes.ReplaceAll(command, []byte{0}, []byte{' '})))
	}
	return commands
}
