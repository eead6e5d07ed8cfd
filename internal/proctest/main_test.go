package proctest

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	Example(example)
	Main(map[string]func() error{
		"echo":    echo,
		"listen":  listen,
		"parent":  parent,
		"done":    func() error { return nil },
		"fails":   func() error { return errors.New("no disk") },
		"crashes": func() error { return errors.New("==7==ThreadSanitizer: CHECK failed: tsan_rtl.cpp:346") },
	})
	goleak.VerifyTestMain(m)
}

// echo prints what it reads.
func echo() error {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(os.Getenv("ECHO_PREFIX") + lines.Text())
	}
	return nil
}

// listen prints where it listens, and takes connections until it is killed.
func listen() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		_ = conn.Close()
	}
}

// parent starts a child of its own, prints where it listens, and waits to be killed.
func parent() error {
	r := &recorder{}
	c := Start(r, "listen")
	fmt.Println(c.Line(r))
	<-c.Ended()
	return fmt.Errorf("%q", r.failed)
}

// recorder is a test that only notes what it is given.
type recorder struct {
	testing.TB
	failed, logged []string
}

func (*recorder) Helper()        {}
func (*recorder) Cleanup(func()) {}

func (r *recorder) Logf(format string, args ...any) {
	r.logged = append(r.logged, fmt.Sprintf(format, args...))
}

func (r *recorder) Errorf(format string, args ...any) {
	r.failed = append(r.failed, fmt.Sprintf(format, args...))
}
