//go:build !unix

package pgtest

import (
	"context"
	"errors"
	"os/exec"
	"syscall"
)

// process is for systems on which this package starts no server.
type process struct{ owner struct{} }

var errSystem = errors.New("servers are not started on this system: set " + Variable)

func newProcess(struct{}) *process                          { return &process{} }
func serverOwner() (struct{}, error)                        { return struct{}{}, errSystem }
func (*process) own(...string) error                        { return errSystem }
func (*process) run(*exec.Cmd) ([]byte, error)              { return nil, errSystem }
func (*process) start(*exec.Cmd) error                      { return errSystem }
func (*process) id() int                                    { return 0 }
func (*process) exited() <-chan struct{}                    { return nil }
func (*process) stop(context.Context, syscall.Signal) error { return nil }
func (*process) close()                                     {}
