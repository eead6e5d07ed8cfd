package bench

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Log is the floor of durable receiving: bodies are appended to a file, and those that came while the
// group before them was synced are synced together. It is the least code that keeps a promise to
// each sender, and nothing can be read from it.
type Log struct {
	file  *os.File
	calls chan logCall
}

type logCall struct {
	body []byte
	done chan error
}

var _ webhook.Sink = (*Log)(nil)

// NewLog returns a log in a directory of the benchmark.
func NewLog(b *testing.B) *Log {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	l, ended := &Log{file, make(chan logCall, 4*Connections)}, make(chan struct{})
	go func() {
		defer close(ended)
		l.run()
	}()
	b.Cleanup(func() {
		close(l.calls)
		<-ended
		if err := file.Close(); err != nil {
			b.Error(err)
		}
	})
	return l
}

// Deliver implements webhook.Sink.
func (l *Log) Deliver(_ context.Context, e webhook.Entry) error {
	c := logCall{e.Body, make(chan error, 1)}
	l.calls <- c
	return <-c.done
}

func (l *Log) run() {
	var group []logCall
	var data []byte
	for first := range l.calls {
		group, data = append(group[:0], first), append(data[:0], first.body...)
		for waiting := len(l.calls); waiting > 0; waiting-- {
			c := <-l.calls
			group, data = append(group, c), append(data, c.body...)
		}
		_, err := l.file.Write(data)
		if err == nil {
			err = datasync(l.file)
		}
		for _, c := range group {
			c.done <- err
		}
	}
}
