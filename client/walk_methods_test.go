package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// TestProofMethods calls every method of every service, at the newest version that has it, and asks all questions of
// what each call returned, logged and cost. Mishaps and answers without a record meet every method. The thousands of
// answers with texts and documents of strangers meet a few methods each, in turn. In make test one call of 16
// is made, chosen by chance.
func TestProofMethods(t *testing.T) {
	w := newWalk(t)
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard) // net/http logs what comes on a connection without a request
	synctest.Test(t, func(t *testing.T) {
		for _, m := range slices.Concat(mishaps, withoutRecord()) {
			w.all(t, m)
		}
		for m := range spiked {
			w.few(t, m, 2)
		}
		for m := range broken {
			w.few(t, m, 1)
		}
		for m := range refusals {
			w.few(t, m, 1)
		}
	})
	w.report(t)
}

// outcome is what became of a call.
type outcome struct {
	mishap
	*caller
	typ      reflect.Type    // of the method
	results  []reflect.Value // of the method
	errs     []error         // of the method, and of the list that it returned
	spent    hostile.Spent
	panicked any
}

// question is asked of every outcome.
type question struct {
	name string
	// ask returns what is wrong, or "". It is not asked of outcomes to which it does not apply.
	ask func(*outcome) (wrong string, asked bool)
}

var questions = []question{
	{"every call is sent", isSent},
	{"no secret is shown", showsNoSecret},
	{"texts are fit for a log", isFitForALog},
	{"calls are bounded", isBounded},
	{"no record is an error", isNoRecord},
	{"a refusal is returned", isRefusal},
}

func isSent(o *outcome) (string, bool) {
	switch {
	case o.panicked != nil:
		return fmt.Sprint("panic: ", o.panicked), true
	case o.attempts.Load() == 0: // and the errors quote what the caller gave
		return fmt.Sprintf("nothing was sent: %v", o.errs), true
	}
	return "", true
}

// showsNoSecret: neither the token nor the secret of an app, nor what stands in a query, a path or a body, gets into an
// error, a log, a trace or a printed client.
func showsNoSecret(o *outcome) (string, bool) {
	verbs := verbs
	if o.response != nil {
		verbs = verbs[:1] // the others print the bodies of thousands of answers, in which nothing is secret
	}
	for _, err := range o.errs {
		for ; err != nil; err = errors.Unwrap(err) {
			o.shown.show(err, verbs...)
		}
	}
	if leak := o.shown.leak(); leak != "" {
		return fmt.Sprintf("…%s…", leak), true
	}
	return "", true
}

// isFitForALog: whatever stands in the headers and members of an answer, what is printed of it is one line of visible
// characters and bounded length.
func isFitForALog(o *outcome) (string, bool) {
	for _, s := range o.texts() {
		if why := unfit(s); why != "" {
			return fmt.Sprintf("%s: %.300q", why, s), true
		}
	}
	return "", true
}

// isBounded: no answer costs much more than its size.
func isBounded(o *outcome) (string, bool) {
	if o.spent.Bytes > 8<<20 {
		return fmt.Sprintf("cost %v, want 8 MiB at most", o.spent), true
	}
	return "", true
}

// isNoRecord: a method that returns a record fails if the answer has none, and a write is of unknown outcome then. Each
// gave a record of zeros once, or the id 0.
func isNoRecord(o *outcome) (string, bool) {
	if !o.noRecord || !withRecord(o.method, o.typ) || o.method == "Transactions.Find" || // which may find none
		strings.HasSuffix(o.answer, "}]") && looksFirst(o.method) {
		return "", false
	}
	err, _ := o.results[len(o.results)-1].Interface().(error)
	e, platform := errors.AsType[*client.Error](err)
	d, decoding := errors.AsType[*client.DecodeError](err)
	if !platform || !decoding || d.Index != -1 || !o.results[0].IsZero() {
		return fmt.Sprintf("got %v, %v; want no record and a *DecodeError in an *Error", o.results[0], err), true
	}
	if wrote := e.Method != http.MethodGet; errors.Is(err, client.ErrOutcomeUnknown) != wrote {
		return fmt.Sprintf("got %v; want an unknown outcome: %v", err, wrote), true
	}
	return "", true
}

// isRefusal: whatever stands in the body of a refusal, the refusal is returned. Where there are no checkouts, the
// platform answers a 404 of its own form. Any other 404 says nothing about checkouts.
func isRefusal(o *outcome) (string, bool) {
	if o.refusal == 0 || o.refusal == http.StatusNotFound && o.method == "Checkouts.List" && saysNotFound(o.response()) {
		return "", false
	}
	for _, err := range o.errs {
		if e, ok := errors.AsType[*client.Error](err); ok && e.Status == o.refusal && len(e.Body) <= engine.MaxErrorBody {
			return "", true
		}
	}
	return fmt.Sprintf("got %v, want %d", o.errs, o.refusal), true
}

// saysNotFound reports whether the body of a response has the platform's code of a missing record.
func saysNotFound(r *http.Response) bool {
	var said struct{ Code any }
	err := json.NewDecoder(r.Body).Decode(&said)
	return err == nil && fmt.Sprint(said.Code) == "404"
}

// walk calls methods and asks questions.
type walk struct {
	methods []string
	next    int // the method whose turn it is
	random  *rand.Rand
	oneOf   int // one call of so many is made

	calls        int
	sent, secret int64                      // attempts, and those with a secret in query, path or body
	routes       map[string]bool            // that errors named
	strange      map[string]bool            // answers whose text of a stranger was printed
	asked        map[string]map[string]bool // the methods by question
}

func newWalk(t *testing.T) *walk {
	w := &walk{
		methods: slices.Collect(methods(t)), random: rand.New(rand.NewPCG(client.Seed(t), 0)), oneOf: tier.Unwatched(16, 1, 1),
		routes: map[string]bool{}, strange: map[string]bool{}, asked: map[string]map[string]bool{},
	}
	for _, q := range questions {
		w.asked[q.name] = map[string]bool{}
	}
	return w
}

// all calls each method.
func (w *walk) all(t *testing.T, m mishap) {
	for _, method := range w.methods {
		w.call(t, method, m)
	}
}

// few calls the next n methods.
func (w *walk) few(t *testing.T, m mishap, n int) {
	for range n {
		w.next++
		w.call(t, w.methods[w.next%len(w.methods)], m)
	}
}

func (w *walk) call(t *testing.T, method string, m mishap) {
	if w.random.IntN(w.oneOf) > 0 {
		return
	}
	o := (&caller{t: t, shown: newShowing(), method: method}).call(m)
	w.calls, w.sent, w.secret = w.calls+1, w.sent+o.attempts.Load(), w.secret+o.leaving.Load()
	for _, err := range o.errs {
		if e, ok := errors.AsType[*client.Error](err); ok {
			w.routes[e.Method+" "+e.Route] = true
		}
	}
	if slices.ContainsFunc(o.texts(), func(s string) bool { return strings.Contains(s, strange) }) {
		w.strange[m.of] = true
	}
	for _, q := range questions {
		wrong, asked := q.ask(o)
		if asked {
			w.asked[q.name][method] = true
		}
		if wrong != "" {
			t.Errorf("%s: %s, %s: %s", q.name, method, m.name, wrong)
		}
	}
}

// report fails the test if it lost its teeth.
func (w *walk) report(t *testing.T) {
	t.Helper()
	t.Logf("%d calls of %d endpoints, %d attempts, %d of them with a secret in query, path or body; texts of strangers are in what %d answers print",
		w.calls, len(w.routes), w.sent, w.secret, len(w.strange))
	type least struct{ routes, secret, strange, methods int }
	whole := least{170, 1500, 90, 90}
	// Which calls make test makes is a matter of chance, so its least numbers are less than half of the usual ones.
	of := tier.Unwatched(least{100, 100, 40, 10}, whole, whole)
	if len(w.routes) < of.routes || int(w.secret) < of.secret || len(w.strange) < of.strange {
		t.Errorf("%d endpoints, %d attempts with a secret, %d answers with texts; want %+v", len(w.routes), w.secret, len(w.strange), of)
	}
	for name, methods := range w.asked {
		if len(methods) < of.methods {
			t.Errorf("%s: asked of %d methods, want %d at least", name, len(methods), of.methods)
		}
	}
	for _, method := range returnsID {
		if w.oneOf == 1 && !w.asked["no record is an error"][method] {
			t.Errorf("%s was not asked for its id", method)
		}
	}
}

// texts are what a program may print of a call: what was logged, and the errors with all that they wrap. What net/http
// says of an answer that is no HTTP is clean in the error around it.
func (o *outcome) texts() []string {
	all := o.logged
	for _, err := range o.errs {
		if e, ok := errors.AsType[*client.Error](err); ok && o.response == nil {
			if all = append(all, err.Error(), e.Error()); e.Unwrap() != nil {
				all = append(all, e.Unwrap().Error())
			}
			continue
		}
		all = append(all, printed(err)...)
	}
	return all
}

// withoutRecord are answers of 2xx without a record.
func withoutRecord() (all []mishap) {
	for _, name := range slices.Sorted(maps.Keys(noRecords)) {
		all = append(all, mishap{name: name, answer: noRecords[name], noRecord: true})
	}
	return all
}

// strange stands before each text of a stranger.
const strange = "stranger<"

// strangers are hostile characters, and long texts, by name.
func strangers() iter.Seq2[string, string] {
	texts := maps.Clone(hostiles)
	texts["a long text"] = strings.Repeat("word ", 13_000)
	texts["a long hidden text"] = strings.Repeat("\u200b", 20_000)
	texts["long marks"] = strings.Repeat("é\u202e", 9000)
	return func(yield func(string, string) bool) {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if !yield(name, texts[name]) {
				return
			}
		}
	}
}

// spiked are answers with the text of a stranger in every header and member.
func spiked(yield func(mishap) bool) {
	for name, text := range strangers() {
		x := strange + text + ">end"
		answers := answersWith(x, inJSON(x))
		for _, of := range slices.Sorted(maps.Keys(answers)) {
			if !yield(mishap{name: name + " in " + of, of: of, response: answers[of]}) {
				return
			}
		}
	}
}

// broken are answers that are no HTTP because of the text of a stranger, and connections that fail with it.
func broken(yield func(mishap) bool) {
	for _, name := range slices.Sorted(maps.Keys(hostiles)) {
		text := hostiles[name]
		if !yield(mishap{name: name + " of a dialer", dial: errors.New("no route" + text)}) {
			return
		}
		if !yield(mishap{name: name + " of a caller who leaves", stalls: true, patience: 100 * time.Millisecond, left: errors.New("gone" + text)}) {
			return
		}
		for _, raw := range []string{
			"HTTP/1.1 200 OK\r\nX\u202eMore" + text + " no colon\r\n\r\n", "HTTP/1.1 2" + text + "0 OK\r\n\r\n", "HTTP/" + text + " 200 OK\r\n\r\n", text + "\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 1" + text + "\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + text + "\r\n\r\n",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + text + "z\r\n", "HTTP/1.1 302 Found\r\nLocation: https://a" + text + "b/\r\n\r\n",
		} {
			if !yield(mishap{name: fmt.Sprintf("%s in %q", name, raw), answer: raw}) {
				return
			}
		}
	}
}

// refusals are refusals whose body was spoiled, with each status in turn.
func refusals(yield func(mishap) bool) {
	good := [][]byte{
		[]byte(`{"code":404,"message":"Not Found","description":"Product with such id does not exist","id":["is invalid","is gone"]}`),
		[]byte(`{"src":["can't be blank"],"name":["is too long (maximum is 255 characters)"]}`),
		[]byte(`{"error":"Problems parsing JSON"}`),
		[]byte(`{"error":{"status":403,"code":"ForbiddenException","detail":["one","two"]}}`),
		[]byte(`{"description":"Not valid","message":"Invalid","messages":{"/shipping/carrier":["is unknown"]}}`),
	}
	for d := range hostile.Documents(hostile.OfHandler/5, good...) {
		for _, status := range []int{http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity} {
			m := mishap{name: fmt.Sprintf("%d with %s", status, d.Name), refusal: status, response: func() *http.Response {
				h := http.Header{"Content-Type": {"application/json"}}
				return &http.Response{StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, Header: h, Body: io.NopCloser(strings.NewReader(string(d.Body))), ContentLength: int64(len(d.Body))}
			}}
			if !yield(m) {
				return
			}
		}
	}
}
