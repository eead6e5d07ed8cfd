package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// closing are the checks that all kinds have after their own.
func closing() []check {
	return []check{
		{
			name: "keep-alive", sent: "two genuine calls on one connection", rule: ruleHTTP, run: checkKeepAlive,
			fix: "speak HTTP/1.1, and leave the connection open: a handshake for each call costs more than most answers",
		},
		{
			name: "chunks", sent: "a genuine call whose body comes in chunks, without Content-Length", rule: ruleHTTP,
			run: shapedCheck(chunked), fix: "read the body to its end instead of reading Content-Length bytes",
		},
		{
			name: "expect", sent: "a genuine call with Expect: 100-continue", rule: ruleHTTP,
			run: shapedCheck(expectings), fix: "answer 100 and read the body; do not close the connection",
		},
		{
			name: "GET", sent: "GET", rule: "the platform calls with POST; anything else is answered 405", run: checkGet,
			fix: "answer 405 with Allow: POST to other methods, before anything is done",
		},
		{
			name: "content type", sent: "a genuine body with Content-Type: text/plain", run: checkContentType,
			rule: "an answer below 500: a body of another type is refused or read, and breaks nothing",
			fix:  "refuse another type with 415, or ignore the type",
		},
		{
			name: "large body", sent: "a body of more than 1 MiB", run: checkLarge,
			rule: "an answer below 500, and memory that is bounded",
			fix:  "bound what is read, and answer 413 beyond that",
		},
		{
			name: "malformed JSON",
			sent: "the first half of a JSON text as the body, signed if the platform signs",
			run:  checkMalformed,
			rule: "a status below 500, because a repetition would not change it, and not 2xx without content if the call requires " +
				"content, such as commands, rates or a payment",
			fix: "catch the error of the parser: 400, for carts and rules 204, and for a webhook 2xx once it is stored",
		},
		{
			name:  "other JSON",
			sent:  "nothing, null, a list, a number, an empty object and bytes that are not UTF-8, signed where the platform signs",
			after: []string{"malformed JSON", "refusals", "other forms"},
			run:   checkOtherJSON,
			rule:  "an answer below 500: what is JSON is not always an object with the members that you expect",
			fix:   "check that the text is an object with its members before you use them",
		},
		{
			name: "cut short",
			sent: "the first half of a genuine body, whose Content-Length names all of it",
			run:  checkTruncated,
			rule: ruleTrust, fix: "do nothing before the whole body has arrived, and answer 4xx or nothing if it does not",
		},
		{
			name: "unknown members", sent: "a genuine body with a member that is not documented", run: checkUnknownMembers,
			after: []string{"made once"},
			rule:  "Versioning: bodies gain members without notice",
			fix:   "ignore the members that you do not know",
		},
		{
			name: "at once", sent: fmt.Sprintf("%d calls at once, again if one is late", burst), run: checkBurst,
			rule: "the time limits hold for each call: a sale brings many at once",
			fix:  "find what calls wait for (a lock, a pool of connections, one process), or answer before it",
		},
		{
			name: "odd addresses", sent: "requests for addresses that no browser writes, and a genuine call after each", ends: true,
			run: checkTargets, rule: "no request of a stranger ends the program: later calls are answered",
			fix: "catch errors of the URL parser, or split the address at the first question mark",
		},
		{
			name: "nothing leaks", sent: "all of the above", sums: true, run: checkLeaks,
			rule: "an answer to a stranger has neither a stack trace, nor the secret, nor the signature that would " +
				"have been right",
			fix: "return a constant text, and log the rest",
		},
	}
}

func checkKeepAlive(ctx context.Context, e *exam) (outcome, error) {
	var v verdict
	for range 3 { // the server may just have closed an idle connection
		var err error
		if v, err = e.call(ctx); err != nil {
			return outcome{}, err
		}
		if v.ex.reused && v.ex.proto == "HTTP/1.1" {
			return pass("the second call came on the connection of the first")
		}
	}
	return note("the endpoint closed the connection after an answer (%s)", v.ex.proto)
}

// shapedCheck has a genuine call sent in another shape, which must be answered as the plain one is.
func shapedCheck(s shape) func(ctx context.Context, e *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		v, err := e.relay.shaped(s, func() (verdict, error) { return e.call(ctx) })
		if err != nil {
			return outcome{}, err
		}
		if v.status == http.StatusLengthRequired {
			return note("%s: the platform sends Content-Length, so it works", v)
		}
		if !v.accepted {
			return fail("%s; a call with Content-Length got %s", v, e.first)
		}
		return pass("%s", v)
	}
}

func checkGet(ctx context.Context, e *exam) (outcome, error) {
	x := e.posted()
	header := x.header.Clone()
	header.Del("Content-Type")
	x = e.direct(ctx, exchange{method: http.MethodGet, uri: x.uri, header: header})
	switch {
	case x.status == http.StatusNotImplemented:
		return pass("%s", x) // the server knows no other method
	case x.status == http.StatusOK:
		return note("%s, which is right for a page that only people read", x)
	}
	return refused(x)
}

// posted is the first genuine call, which others are made of.
func (e *exam) posted() exchange { return e.first.ex }

// refused is the outcome of a check of a call that must not be answered as if it were genuine.
func refused(x exchange) (outcome, error) {
	if late(x.err) || x.err == nil && (x.status < 400 || x.status >= 500) {
		return fail("%s; must be 4xx", x)
	}
	return pass("%s", x)
}

// unharmed is the outcome of a check of a call that must break nothing.
func unharmed(x exchange) (outcome, error) {
	redirects := x.status >= 300 && x.status < 400 && x.status != statusUninstalled
	if x.err != nil || x.status >= 500 || x.status < 200 || redirects {
		return fail("%s; must be 2xx or 4xx", x)
	}
	return pass("%s", x)
}

func checkContentType(ctx context.Context, e *exam) (outcome, error) {
	x := e.posted()
	x.header = x.header.Clone()
	x.header.Set("Content-Type", "text/plain")
	return unharmed(e.direct(ctx, x))
}

// made is a call with a body of the doctor's own, signed where the doctor can sign.
func (e *exam) made(body []byte) (exchange, bool) {
	x := e.posted()
	header, ok := e.kind.sign(e, x, body)
	return exchange{method: x.method, uri: x.uri, header: header, body: body}, ok
}

func checkLarge(ctx context.Context, e *exam) (outcome, error) {
	x, _ := e.made(withMember(e.posted().body, "padding", strings.Repeat("x", mebibyte)))
	x = e.direct(ctx, x)
	if x.err != nil && !late(x.err) {
		return pass("%s: refused while it was sent", x)
	}
	return unharmed(x)
}

// late reports whether an error means that time was up.
func late(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return errors.Is(err, context.DeadlineExceeded) || ok && timeout.Timeout()
}

// withMember is an object with one more member, or a list whose last object has it.
func withMember(body []byte, name string, value any) []byte {
	raw, err := json.Marshal(object{name: value})
	at := bytes.LastIndexByte(body, '}')
	if err != nil || at < 0 {
		return body
	}
	return slices.Concat(body[:at], []byte(","), bytes.TrimPrefix(raw, []byte("{")), body[at+1:])
}

func checkMalformed(ctx context.Context, e *exam) (outcome, error) {
	x, _ := e.made(e.posted().body[:len(e.posted().body)/2])
	x = e.direct(ctx, x)
	if o, err := unharmed(x); o.state == Failed {
		return o, err
	}
	if e.means(x) {
		return fail("%s, as if it had been understood", x)
	}
	return pass("%s", x)
}

func checkOtherJSON(ctx context.Context, e *exam) (outcome, error) {
	if e.o.Kind == Payments {
		return skip("the doctor cannot sign payment calls")
	}
	bodies := []string{"", "null", "[]", "5", `"text"`, "{}", "\xff\xfe{}"}
	for _, body := range bodies {
		x := e.sent(ctx, []byte(body))
		if o, err := unharmed(x); o.state == Failed {
			return fail("%s for %q", o.got, body)
		} else if err != nil {
			return o, err
		}
	}
	return pass("2xx or 4xx for %d bodies", len(bodies))
}

// means reports whether an answer promises something: commands, rates or a payment. A webhook that is malformed may be
// stored and answered 2xx.
func (e *exam) means(x exchange) bool {
	switch e.o.Kind {
	case Discounts, Rules:
		return x.status == http.StatusOK && bytes.Contains(x.answer, []byte(`"command"`))
	case Webhooks:
		return false
	}
	return x.status >= 200 && x.status < 300
}

func checkUnknownMembers(ctx context.Context, e *exam) (outcome, error) {
	x, ok := e.made(withMember(e.posted().body, "a_new_member", object{"value": []int{1}}))
	if !ok {
		return skip("the doctor cannot sign payment calls")
	}
	x = e.direct(ctx, x)
	if x.err != nil || x.status < 200 || x.status > 299 {
		return fail("%s; the same call without the member got status %d", x, e.first.status)
	}
	return pass("%s", x)
}
