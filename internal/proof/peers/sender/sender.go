package sender

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/bench"
)

// variable is the environment variable that makes a binary a sender; its value is the job.
const variable = "PEERS_SENDER"

// Job is what to send.
type Job struct {
	URL   string // http://host:port
	First int    // number of the first delivery, as bench.Updates counts
	Count int    // number of deliveries
	// Connections is how many deliveries are in progress at a time. 0 means bench.Connections.
	Connections int
	// Rate is how many deliveries a second are sent. 0 means that the next is sent as soon as one is answered.
	Rate int
	// Limit is when to stop although deliveries are left. 0 means never.
	Limit time.Duration
}

// Report is what happened to the deliveries that were sent, in the order of their numbers. Times are those of the clock
// of the machine, which the process under test has too, in nanoseconds since 1970.
type Report struct {
	Due      []int64 // when each was to be sent
	Answered []int64 // when its 200 had arrived
}

// Sent returns the number of deliveries that were sent, all of which were answered with 200.
func (r *Report) Sent() int { return len(r.Due) }

// Began returns when the first delivery was sent.
func (r *Report) Began() int64 { return r.Due[0] }

// Took returns the time from the first delivery to the last answer.
func (r *Report) Took() time.Duration { return time.Duration(slices.Max(r.Answered) - r.Began()) }

// Waits returns how long each delivery waited for its answer.
func (r *Report) Waits() []time.Duration {
	all := make([]time.Duration, r.Sent())
	for i := range all {
		all[i] = time.Duration(r.Answered[i] - r.Due[i])
	}
	return all
}

// Send runs a job in a process of its own. It fails unless every delivery that was sent was answered with 200.
func Send(ctx context.Context, job Job) (*Report, error) {
	if job.Connections == 0 {
		job.Connections = bench.Connections
	}
	text, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	var complaints bytes.Buffer
	process := exec.CommandContext(ctx, os.Args[0])
	process.Env = append(os.Environ(), variable+"="+string(text))
	process.Stderr = &complaints
	out, err := process.Output()
	if err != nil {
		return nil, fmt.Errorf("sender: %w: %s", err, complaints.Bytes())
	}
	return decode(out)
}

// Main sends and ends the process, if it is a sender. Otherwise it returns.
func Main() {
	text, is := os.LookupEnv(variable)
	if !is {
		return
	}
	if err := run([]byte(text)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(text []byte) error {
	var job Job
	if err := json.Unmarshal(text, &job); err != nil {
		return err
	}
	report, err := job.send()
	if err != nil {
		return err
	}
	return report.encode(os.Stdout)
}

// encode writes a report in binary form: to read it must cost next to nothing, since the reader measures what it costs.
func (r *Report) encode(w io.Writer) error {
	return binary.Write(w, binary.LittleEndian, slices.Concat(r.Due, r.Answered))
}

func decode(data []byte) (*Report, error) {
	times := make([]int64, len(data)/8)
	if _, err := binary.Decode(data, binary.LittleEndian, times); err != nil {
		return nil, fmt.Errorf("sender: report: %w", err)
	}
	sent := len(times) / 2
	return &Report{Due: times[:sent], Answered: times[sent:]}, nil
}
