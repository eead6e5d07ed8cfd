package inboxops

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// mostFailed is the number of failures of a job that the page and the JSON list.
const mostFailed = 100

// Queue is what the pages show and change of jobs of the app, such as a *sqljobs.Queue.
type Queue interface {
	// Jobs returns the progress of the jobs of all stores, for store 0.
	Jobs(ctx context.Context, store client.ID) ([]client.Job, error)
	// Progress returns the progress of a job, and whether there is such a job.
	Progress(ctx context.Context, store client.ID, job string) (j client.Job, ok bool, err error)
	// Failures yields the items of a job that have failed.
	Failures(ctx context.Context, store client.ID, job string) iter.Seq2[client.JobFailure, error]
	// Pause stops a job until Resume.
	Pause(ctx context.Context, store client.ID, job string) error
	// Resume continues a job.
	Resume(ctx context.Context, store client.ID, job string) error
	// Retry has the failed items of a job run again, and returns their number.
	Retry(ctx context.Context, store client.ID, job string) (n int64, err error)
}

// queueJSON is a queue, on its page and in the JSON.
type queueJSON struct {
	Name  string    `json:"name"`
	Error string    `json:"error,omitempty"` // why there are no jobs
	Jobs  []jobJSON `json:"jobs"`
}

// jobJSON is a job, on its pages and in the JSON.
type jobJSON struct {
	Queue    string        `json:"-"`
	Store    int64         `json:"store"`
	Name     string        `json:"job"`
	State    string        `json:"state"` // waiting, running, paused or ended
	Total    int           `json:"total"`
	Done     int           `json:"done"`
	Failed   int           `json:"failed"`
	Left     string        `json:"left,omitempty"` // about how long it will take
	Added    time.Time     `json:"added"`
	Moved    time.Time     `json:"moved,omitzero"`
	Ended    time.Time     `json:"ended,omitzero"`
	Failures []failureJSON `json:"failures,omitempty"` // only of one job
}

type failureJSON struct {
	Key     string    `json:"key"`
	Value   string    `json:"value,omitempty"`
	Attempt int       `json:"attempt"`
	Reason  string    `json:"reason"`
	At      time.Time `json:"at"`
}

func jsonOfJob(queue string, j client.Job) jobJSON {
	state := "running"
	switch {
	case !j.Ended.IsZero():
		state = "ended"
	case j.Paused:
		state = "paused"
	case j.Began.IsZero():
		state = "waiting"
	}
	left := ""
	if rate := j.Rate(); rate > 0 && state == "running" {
		left = age(time.Duration(float64(j.Waiting()) / rate * float64(time.Second)))
	}
	return jobJSON{Queue: queue, Store: int64(j.Store), Name: j.Name, State: state, Total: j.Total, Done: j.Done,
		Failed: j.Failed, Left: left, Added: j.Added, Moved: j.Moved, Ended: j.Ended}
}

// Link is the address of the page of the job.
func (j jobJSON) Link() string {
	return "job?" + jobValues(j.Queue, client.ID(j.Store), j.Name).Encode()
}

func jobValues(queue string, store client.ID, job string) url.Values {
	return url.Values{"queue": {queue}, "store": {store.String()}, "job": {job}}
}

// jobs lists the jobs of each queue.
func (h *Handler) jobs(_ http.ResponseWriter, r *http.Request) (int, string, any, error) {
	all, err := h.apiJobs(r)
	return http.StatusOK, "jobs", all, err
}

func (h *Handler) apiJobs(r *http.Request) (any, error) {
	ctx, cancel := h.within(r.Context())
	defer cancel()
	all := []queueJSON{}
	for _, name := range slices.Sorted(maps.Keys(h.Queues)) {
		q := queueJSON{Name: name, Jobs: []jobJSON{}}
		jobs, err := h.Queues[name].Jobs(ctx, 0)
		if err != nil {
			q.Error = printable(err.Error())
		}
		for _, j := range jobs {
			q.Jobs = append(q.Jobs, jsonOfJob(name, j))
		}
		all = append(all, q)
	}
	return all, nil
}

// job shows a job with its failures.
func (h *Handler) job(_ http.ResponseWriter, r *http.Request) (int, string, any, error) {
	j, err := h.apiJob(r)
	return http.StatusOK, "job", j, err
}

func (h *Handler) apiJob(r *http.Request) (any, error) {
	ctx, cancel := h.within(r.Context())
	defer cancel()
	name, q, store, job, err := h.jobOf(r.URL.Query())
	if err != nil {
		return nil, err
	}
	found, ok, err := q.Progress(ctx, store, job)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("job %q of store %d: %w", job, store, client.ErrNotFound)
	}
	j := jsonOfJob(name, found)
	for f, err := range q.Failures(ctx, store, job) {
		if err != nil { // of one item, or the last one
			f.Reason = err.Error()
		}
		if j.Failures = append(j.Failures, failureJSON(f)); len(j.Failures) == mostFailed {
			break
		}
	}
	return j, nil
}

// jobOf returns the job that an address or a form names.
func (h *Handler) jobOf(values url.Values) (name string, q Queue, store client.ID, job string, err error) {
	name, job = values.Get("queue"), values.Get("job")
	if q = h.Queues[name]; q == nil {
		return "", nil, 0, "", fmt.Errorf("queue %q: %w", name, client.ErrNotFound)
	}
	if store, err = client.ParseID(values.Get("store")); err != nil {
		return "", nil, 0, "", errInput{err}
	}
	return name, q, store, job, nil
}

// change pauses or continues a job, or has its failed items tried again, and redirects to its page.
func (h *Handler) change(w http.ResponseWriter, r *http.Request) (int, string, any, error) {
	if err := r.ParseForm(); err != nil {
		return 0, "", nil, errInput{err}
	}
	ctx, cancel := h.within(r.Context())
	defer cancel()
	name, q, store, job, err := h.jobOf(r.PostForm)
	if err != nil {
		return 0, "", nil, err
	}
	do := r.PostForm.Get("do")
	switch do {
	case "pause":
		err = q.Pause(ctx, store, job)
	case "resume":
		err = q.Resume(ctx, store, job)
	case "retry":
		_, err = q.Retry(ctx, store, job)
	default:
		err = errInput{fmt.Errorf("do %q: must be pause, resume or retry", do)}
	}
	if err != nil {
		return 0, "", nil, err
	}
	h.audit(r, do+" of a job", slog.String("queue", name), slog.Int64("store", int64(store)),
		slog.String("job", printable(job)))
	redirect(w, "job", jobValues(name, store, job))
	return 0, "", nil, nil
}
