package inboxops_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// queue is a queue with one job.
type queue struct {
	job  client.Job
	did  []string
	down error
}

func (q *queue) Jobs(context.Context, client.ID) ([]client.Job, error) {
	return []client.Job{q.job}, q.down
}

func (q *queue) Progress(_ context.Context, store client.ID, job string) (client.Job, bool, error) {
	return q.job, store == q.job.Store && job == q.job.Name, q.down
}

func (q *queue) Failures(context.Context, client.ID, string) iter.Seq2[client.JobFailure, error] {
	return func(yield func(client.JobFailure, error) bool) {
		for i := range q.job.Failed {
			f := client.JobFailure{Key: fmt.Sprint("item ", i), Attempt: 5, Reason: "no <price>", At: q.job.Moved}
			if !yield(f, nil) {
				return
			}
		}
	}
}

func (q *queue) change(what string, store client.ID, job string) error {
	q.did = append(q.did, fmt.Sprint(what, " ", store, " ", job))
	return q.down
}

func (q *queue) Pause(_ context.Context, store client.ID, job string) error {
	return q.change("pause", store, job)
}

func (q *queue) Resume(_ context.Context, store client.ID, job string) error {
	return q.change("resume", store, job)
}

func (q *queue) Retry(_ context.Context, store client.ID, job string) (int64, error) {
	return 1, q.change("retry", store, job)
}

// The pages show the progress and the failures of jobs, and their buttons change them.
func TestJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		q := &queue{job: client.Job{Store: 7, Name: "winter & sale", Total: 5000, Done: 2300, Failed: 200, Added: began,
			Began: began, Moved: began.Add(100 * time.Second)}}
		h := &inboxops.Handler{Inbox: memory(t), Every: time.Hour, Queues: map[string]inboxops.Queue{"prices": q}}
		get := func(path string) string { return ask(h, "GET", path, "localhost", "127.0.0.1:5000").Body.String() }
		const job = "job?job=winter+%26+sale&queue=prices&store=7"
		shows := func(path string, want ...string) {
			t.Helper()
			for page := get(path); len(want) > 0; want = want[1:] {
				if !strings.Contains(page, want[0]) {
					t.Errorf("%s has no %q: %s", path, want[0], page)
				}
			}
		}
		shows("/", `<a href="jobs">Jobs</a>`)
		shows("/jobs", "prices", "winter &amp; sale", "running", "5,000", "2,300", "200", "about 1 min 40 s",
			`<a href="job?job=winter`)
		shows("/"+job, "no &lt;price&gt;", "item 99", "Only the first 100", `value="pause"`, "Retry 200 failed items")
		shows("/api/jobs", `[{"name":"prices","jobs":[{"store":7,"job":"winter \u0026 sale","state":"running","total":5000,`)
		shows("/api/"+job, `"failures":[{"key":"item 0","attempt":5,"reason":"no \u003cprice\u003e","at":`)
		for _, do := range []string{"pause", "resume", "retry"} {
			if a := post(h, "prices", "7", do); a.Code != 303 || a.Header().Get("Location") != job {
				t.Errorf("%s: %d to %q", do, a.Code, a.Header().Get("Location"))
			}
		}
		if want := []string{"pause 7 winter & sale", "resume 7 winter & sale", "retry 7 winter & sale"}; !slices.Equal(q.did, want) {
			t.Errorf("got %q, want %q", q.did, want)
		}
		q.job.Paused = true
		shows("/"+job, "paused", `value="resume"`)
		q.job.Ended = began
		shows("/"+job, "ended")
		q.down = errors.New("the <database> is down")
		shows("/jobs", "the &lt;database&gt; is down")
		q.down = nil
		for path, want := range map[string]int{
			"/job?queue=labels&store=7&job=a": 404, "/job?queue=prices&store=x&job=a": 400, "/job?queue=prices&store=7&job=a": 404,
		} {
			if got := ask(h, "GET", path, "localhost", "127.0.0.1:5000").Code; got != want {
				t.Errorf("%s: status %d, want %d", path, got, want)
			}
		}
		if got := post(h, "prices", "7", "delete").Code; got != 400 {
			t.Errorf("an unknown change: status %d, want 400", got)
		}
	})
}

func post(h *inboxops.Handler, queue, store, do string) *httptest.ResponseRecorder {
	form := url.Values{"queue": {queue}, "store": {store}, "job": {"winter & sale"}, "do": {do}}
	r := httptest.NewRequest("POST", "http://localhost/job", strings.NewReader(form.Encode()))
	r.RemoteAddr = "127.0.0.1:5000"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
