package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
	"github.com/commerceplatform/commerce-go/internal/refserver/tap"
)

func recordCommand() command {
	return command{
		name: "record", args: "--to FILE --app URL", alone: true,
		does: "forwards the platform's calls to an app, and records them with the answers in a file",
		lesson: `The command is a proxy between the platform and your app. Let the platform call the address that it prints. It forwards
every byte unchanged, so for the app only the peer address differs. It records webhooks, carts, rates, labels and payment
calls, each as a line of JSON, and forwards other calls without recording them. An existing FILE is continued. SIGINT and
SIGTERM end the command.

    refserver record --to calls.jsonl --app http://127.0.0.1:3000 --listen 127.0.0.1:3001 > recorder.txt &
    until grep -q listens recorder.txt; do sleep 0.1; done
    refserver trigger product/created --to http://127.0.0.1:3001/hooks
    kill $! && wait $!
    cat calls.jsonl

Signatures, tokens, headers other than Host, and personal data are left out. The recording keeps the members of the contract
that decide a price, a rate or an outcome: country, province, city, locality, postal code, ids, amounts, quantities, codes
and statuses. Every other text or number is replaced by one of the same form, as are parts of paths that could be tokens.
Equal values get equal replacements while the command runs. --keep names further members to keep, if the app's answers depend
on them and they are not personal. A kept member can hold personal data by mistake, such as a name in the field for a city,
so check the file before you share it.

"refserver replay" sends the recorded calls to an app again.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			r := new(recorder)
			f.StringVar(&r.to, "to", "", "`file` to write to")
			f.StringVar(&r.app, "app", "", "`URL` of the app, such as http://127.0.0.1:3000, without a path")
			f.StringVar(&r.listen, "listen", "127.0.0.1:0", "`address` to listen on; port 0 takes a free one")
			f.StringVar(&r.header, "signature-header", recording.SignatureHeader, "`name` of the header with the signature of webhooks")
			f.Func("keep", "`path` of a member to keep, such as products.properties.size, or ?v for a parameter of the query; repeatable",
				func(s string) error {
					r.keep = append(r.keep, s)
					return nil
				})
			return r.run
		},
	}
}

// recorder is the command record.
type recorder struct {
	to, app, listen, header string
	keep                    []string

	mask *recording.Masker
	tape recording.Tape
	file *os.File
	full sync.Once // the file cannot be written any more
	hid  sync.Once // a segment of a path was replaced

	progress func(format string, args ...any)

	mu     sync.Mutex
	counts recorded
}

// recorded is the number of calls that were recorded, and of calls that were only forwarded.
type recorded struct {
	Recorded map[recording.Kind]int `json:"recorded"`
	PassedOn int                    `json:"passed_on"`
	Reasons  map[string]int         `json:"reasons"`
}

// The limits of the proxy's memory.
const (
	mostHeld    = 256 << 20
	mostReasons = 20
)

// progressEvery is how often the counts are shown while they change.
const progressEvery = 5 * time.Second

func (r *recorder) run(ctx context.Context, e *env) (err error) {
	for _, missing := range []struct{ flag, value string }{{"--to", r.to}, {"--app", r.app}} {
		if missing.value == "" {
			return misused(missing.flag, "", "must be set")
		}
	}
	dial, err := dialer(r.app)
	if err != nil {
		return err
	}
	if r.file, err = openRecording(r.to); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.file.Close()) }()
	l, err := net.Listen("tcp", r.listen)
	if err != nil {
		return err
	}
	if itself(ctx, r.app, l.Addr()) {
		return errors.Join(misused("--app", r.app, "must not be the address that the recorder listens on"), l.Close())
	}
	r.mask, r.counts = recording.NewMasker(r.keep...), recorded{map[recording.Kind]int{}, 0, map[string]int{}}
	r.progress = e.progress
	if err := r.announce(e, l.Addr().String()); err != nil {
		return errors.Join(err, l.Close())
	}
	showing, stop := context.WithCancel(ctx)
	var shown sync.WaitGroup
	shown.Go(func() { r.show(showing) })
	p := tap.Proxy{
		Dial: dial, Seen: r.seen, Missed: r.missed,
		Unreachable: func(err error) { r.progress("the app does not answer at %s: %v", r.app, err) },
		MaxBody:     recording.MostBody, MaxAnswer: recording.MostAnswer, MaxHeld: mostHeld, Grace: grace,
	}
	err = p.Serve(ctx, l)
	stop()
	shown.Wait()
	if err == nil {
		err = r.tape.Err()
	}
	if err != nil {
		return err
	}
	return showValue(e, r.counts, func(w io.Writer) { fmt.Fprintln(w, r.counts) })
}

func (r *recorder) announce(e *env, address string) error {
	at := map[string]string{"listen": "http://" + address, "app": r.app, "file": r.to}
	return showValue(e, at, func(w io.Writer) {
		fmt.Fprintf(w, "listens at\thttp://%s\npasses on to\t%s\nwrites to\t%s\n", address, r.app, r.to)
	})
}

// show writes the counts to stderr now and then.
func (r *recorder) show(ctx context.Context) {
	every := time.NewTicker(progressEvery)
	defer every.Stop()
	for before := ""; ; {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		r.mu.Lock()
		now := r.counts.String()
		r.mu.Unlock()
		if now != before {
			r.progress("%s", now)
		}
		before = now
	}
}

// String returns the counts on one line.
func (c recorded) String() string {
	var parts []string
	total := 0
	for _, kind := range recording.Kinds() {
		if n := c.Recorded[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", kind, n))
			total += n
		}
	}
	out := fmt.Sprintf("%d recorded", total)
	if total > 0 {
		out += " (" + strings.Join(parts, ", ") + ")"
	}
	return fmt.Sprintf("%s, %d passed on without a record", out, c.PassedOn)
}

// seen records a call that was answered.
func (r *recorder) seen(x tap.Exchange) {
	c := recording.Call{Method: x.Method, Host: x.Host, Target: x.Target, Header: x.Header, Body: x.Body}
	kind, operation := c.Kind(r.header)
	if kind == "" {
		r.missed("none of the calls that are recorded")
		return
	}
	a := recording.Answer{Status: x.Status, Body: recording.Plain(x.AnswerHeader, x.Answer), Took: x.Took}
	line, err := r.mask.Record(x.At, kind, operation, c, a)
	if err != nil {
		r.missed(err.Error())
		return
	}
	if err := r.tape.Write(r.file, line); err != nil {
		r.full.Do(func() { r.progress("recording stopped, and calls are still passed on: %v", err) })
		r.missed("the file cannot be written")
		return
	}
	if hidden := recording.Replaced(line.Target); len(hidden) > 0 {
		r.hid.Do(func() {
			r.progress("a segment of a path may be a secret and was replaced: replay with --map %s=SEGMENT", plain(hidden[0]))
		})
	}
	r.mu.Lock()
	r.counts.Recorded[kind]++
	r.mu.Unlock()
}

func (r *recorder) missed(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts.PassedOn++
	if _, known := r.counts.Reasons[reason]; !known && len(r.counts.Reasons) >= mostReasons {
		reason = "other"
	}
	r.counts.Reasons[reason]++
}
