package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/disputes"
)

// entry is a line of the journal. A step has an intent before its request is sent,
// and one of the other outcomes once that is known.
type entry struct {
	At         time.Time       `json:"at,omitzero"`
	Chargeback string          `json:"chargeback"`
	Status     disputes.Status `json:"status"`
	Outcome    outcome         `json:"outcome"`
	// Order, Transaction and Dispute say where the dispute is.
	Order       client.ID `json:"order,omitzero"`
	Transaction uuid.UUID `json:"transaction,omitzero"`
	Dispute     string    `json:"dispute,omitzero"`
	// Row is the sum of the line that the step came from.
	Row string `json:"row,omitzero"`
	Why string `json:"why,omitzero"`
}

type outcome string

const (
	isIntent  outcome = "intent"
	isDone    outcome = "done"
	isRefused outcome = "refused" // by the platform: the same line would be refused again
	isFailed  outcome = "failed"  // nothing was changed, and it may be tried again
)

// step names a step of a chargeback. The line tells a second review from the first.
type step struct {
	chargeback string
	status     disputes.Status
	row        string
}

// journal remembers what was sent, in a file that survives the program.
type journal struct {
	file interface {
		io.WriteCloser
		Sync() error
	}
	steps  map[step]entry
	opened map[string]entry // the last of every chargeback's opening
}

// openJournal reads the file, or creates it. A last line that a crash cut off is
// taken away: its request was never sent, or its outcome is not known.
func openJournal(name string) (*journal, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f, steps: map[step]entry{}, opened: map[string]entry{}}
	data, err := io.ReadAll(f)
	if err == nil {
		whole := bytes.LastIndexByte(data, '\n') + 1
		err = errors.Join(j.read(data[:whole]), f.Truncate(int64(whole)))
		if _, failed := f.Seek(int64(whole), io.SeekStart); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	if err = errors.Join(err, syncDirectory(name)); err != nil {
		return nil, errors.Join(fmt.Errorf("journal %s: %w", name, err), f.Close())
	}
	return j, nil
}

func (j *journal) read(data []byte) error {
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		j.remember(e)
		data = rest
	}
	return nil
}

func (j *journal) remember(e entry) {
	if e.Status == disputes.StatusNeedsResponse {
		j.opened[e.Chargeback] = e
		return
	}
	j.steps[step{e.Chargeback, e.Status, e.Row}] = e
}

// last returns what is known of a step; the zero entry is nothing. A chargeback is
// opened once, whatever its line says. Other steps are told apart by their lines.
func (j *journal) last(r row) entry {
	if r.status == disputes.StatusNeedsResponse {
		return j.opened[r.chargeback]
	}
	return j.steps[step{r.chargeback, r.status, r.sum}]
}

// record writes an entry and returns once it is on the disk.
func (j *journal) record(e entry) error {
	e.At = time.Now().UTC()
	line, err := json.Marshal(e)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	j.remember(e)
	return nil
}

func (j *journal) close() error { return j.file.Close() }

// syncDirectory makes a new file's name as safe as its content.
func syncDirectory(name string) error {
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
