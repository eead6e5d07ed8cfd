package queue

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/proof/peers/sender"
)

// scenario measures one property of a queue.
type scenario struct {
	name    string
	measure func(b *testing.B, u *underTest) metrics
}

// metrics are figures by their units.
type metrics map[string]float64

var scenarios = []scenario{
	{"through", through},
	{"backlog", backlog},
	{"paced", paced},
	{"idle", idle},
}

// Sizes of the scenarios. A slow queue receives and processes less in the time of a scenario.
const (
	burst       = 20_000          // deliveries
	receiveTime = 4 * time.Second // for a burst
	processTime = 8 * time.Second

	pacedRate, pacedCount = 1000, 4000
	idleRate, idleCount   = 100, 300
)

// underTest is a queue that receives over loopback.
type underTest struct {
	Queue
	url  string
	next int // number of the next delivery: none is sent twice
	log  *writeAheadLog
}

// serve starts a server for a queue and warms both up, so that connections are open and statements planned.
func serve(b *testing.B, q Queue, log *writeAheadLog) *underTest {
	b.Helper()
	server := httptest.NewServer(q.Handler())
	b.Cleanup(func() {
		server.Close()
		if err := q.Close(); err != nil {
			b.Error(err)
		}
	})
	u := &underTest{Queue: q, url: server.URL, log: log}
	const few = 200
	r := u.expect(few)
	stop := working(b, q, r.handle)
	u.send(b, sender.Job{Count: few})
	r.wait(few, processTime)
	stop()
	return u
}

// expect returns the record of the runs of the next deliveries.
func (u *underTest) expect(count int) *runs { return newRuns(u.next, count) }

func (u *underTest) send(b *testing.B, job sender.Job) *sender.Report {
	b.Helper()
	job.URL, job.First = u.url, u.next
	u.next += job.Count
	sent, err := sender.Send(b.Context(), job)
	if err != nil {
		b.Fatal(err)
	}
	return sent
}

// through sends as fast as deliveries are answered while a worker runs, and reports how many a second were received
// and processed (through/s).
func through(b *testing.B, u *underTest) metrics {
	r := u.expect(burst)
	stop := working(b, u, r.handle)
	defer stop()
	sent := u.send(b, sender.Job{Count: burst, Limit: receiveTime})
	done := r.wait(sent.Sent(), processTime)
	return metrics{"through/s": perSecond(done, r.last()-sent.Began())}
}

// backlog sends as fast as deliveries are answered and has them processed afterwards. It reports how many a second
// were received (received/s) and processed (processed/s), and how many records of the log a delivery made when it was
// received (receive-records), when it was processed (process-records) and in all (records).
func backlog(b *testing.B, u *underTest) metrics {
	r := u.expect(burst)
	before := u.log.end(b)
	sent := u.send(b, sender.Job{Count: burst, Limit: receiveTime})
	received := u.log.end(b)
	began := time.Now().UnixNano()
	stop := working(b, u, r.handle)
	done := r.wait(sent.Sent(), processTime)
	stop()
	m := metrics{
		"received/s":  perSecond(sent.Sent(), int64(sent.Took())),
		"processed/s": perSecond(done, r.last()-began),
	}
	if u.log != nil {
		m["receive-records"] = u.log.records(b, before, received) / float64(sent.Sent())
		m["process-records"] = u.log.records(b, received, u.log.end(b)) / float64(max(done, 1))
		m["records"] = m["receive-records"] + m["process-records"]
	}
	return m
}

// paced sends 1,000 a second while a worker runs.
func paced(b *testing.B, u *underTest) metrics {
	return u.steady(b, sender.Job{Count: pacedCount, Rate: pacedRate})
}

// idle sends a delivery now and then to a worker that has nothing to do.
func idle(b *testing.B, u *underTest) metrics {
	return u.steady(b, sender.Job{Count: idleCount, Rate: idleRate, Connections: 1})
}

// steady sends at a rate while a worker runs, and reports how long after the answer the handler began (start-p50-ms,
// start-p99-ms), and how long the answer took (answer-p99-ms).
func (u *underTest) steady(b *testing.B, job sender.Job) metrics {
	b.Helper()
	r := u.expect(job.Count)
	stop := working(b, u, r.handle)
	defer stop()
	sent := u.send(b, job)
	r.wait(sent.Sent(), time.Minute)
	start, answer := r.delays(b, sent), sent.Waits()
	return metrics{
		"start-p50-ms": percentile(start, 50), "start-p99-ms": percentile(start, 99), "answer-p99-ms": percentile(answer, 99),
	}
}

// perSecond is a number of events in a time in nanoseconds.
func perSecond(count int, nanoseconds int64) float64 {
	return float64(count) / time.Duration(max(nanoseconds, 1)).Seconds()
}
