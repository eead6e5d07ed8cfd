package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"time"
)

// burst is how many calls come at once.
const burst = 50

const (
	rulePartner = "Events: an endpoint of a partner has an https address"
	ruleHTTP    = "RFC 9110 and 9112: the rules of every HTTP/1.1 server"
	ruleTrust   = "Authentication: the receiver recomputes the signature of what arrived, and compares"
)

// opening are the checks that come first: of the connection, and of one genuine call.
func opening() []check {
	return []check{
		{
			name: "https", sent: "nothing", rule: rulePartner, ends: true, run: checkScheme,
			fix: "serve https under a public name; http is for an app on this machine alone",
		},
		{
			name: "connection", sent: "a TCP connection", rule: rulePartner + " that can be reached", ends: true, run: checkConnection,
			fix: "start the program, and have it listen at the host and port of the URL; then check DNS and firewalls",
		},
		{
			name: "certificate",
			sent: "a TLS handshake",
			rule: rulePartner + " whose certificate verifies",
			ends: true,
			run:  checkCertificate,
			fix:  "serve a certificate that has not expired, for this name, with the whole chain up to the root",
		},
		{
			name: "no redirect",
			sent: "a genuine call",
			rule: rulePartner + "; the platform does not follow redirects",
			ends: true,
			run:  checkRedirect, fix: "register the address that the redirect leads to, with or without the slash at the end",
		},
		{
			name: "in time", sent: "a genuine call, twice if the first is late", ends: true, run: checkTime,
			rule: "Limits: 3 s for webhooks, 800 ms for carts and business rules, 5 s " +
				"for rates and labels, 20 s for payments, the way there and back included",
			fix: "answer first, or from what is prepared; do the work after the answer, from a queue that is on disk",
		},
		{
			name: "status",
			sent: "a genuine call",
			rule: "the statuses of the kind: 2xx for webhooks, labels and business rules, 200 or 204 for carts, 200 for " +
				"rates, 201 for a payment",
			ends: true,
			run:  checkStatus,
			fix:  "answer the status that the rule names; verify the bytes as they arrived, before they are parsed",
		},
	}
}

func checkScheme(_ context.Context, e *exam) (outcome, error) {
	switch {
	case e.to.Scheme == "https":
		return pass("https")
	case loopback(e.to.Hostname()):
		return pass("http, on this machine: the platform itself will call https only")
	}
	return fail("the address is %s://%s", e.to.Scheme, e.to.Host)
}

func checkCertificate(ctx context.Context, e *exam) (outcome, error) {
	if e.to.Scheme != "https" {
		return pass("none is required on this machine")
	}
	limited, cancel := context.WithTimeout(ctx, e.kind.limit()+patience)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(limited, "tcp", e.dialled())
	if err != nil {
		return fail("no connection: %s", cause(err))
	}
	defer conn.Close()
	c := tls.Client(conn, &tls.Config{ServerName: e.to.Hostname(), RootCAs: e.o.Roots, MinVersion: tls.VersionTLS12})
	if err := c.HandshakeContext(limited); err != nil {
		if bad, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
			_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
			if unknown && len(bad.UnverifiedCertificates) == 1 {
				return fail("%v: the endpoint sent one certificate, without those between it and a root", err)
			}
		}
		return fail("%s", cause(err))
	}
	left := time.Until(c.ConnectionState().PeerCertificates[0].NotAfter)
	return pass("verified, for %d more days", int(left.Hours()/24))
}

// checkRedirect makes the first genuine call, which the checks after it look at too.
func checkRedirect(ctx context.Context, e *exam) (outcome, error) {
	err := e.route(ctx)
	if err == nil {
		err = e.kind.prepare(ctx, e)
	}
	if err == nil {
		e.first, err = e.kind.call(ctx, e)
	}
	if err != nil {
		return outcome{}, err
	}
	if e.first.ex.method == "" {
		return outcome{}, errNothing // it went elsewhere
	}
	if s := e.first.status; s >= 300 && s < 400 && s != statusUninstalled {
		return fail("status %d to %s", s, e.first.ex.back.Get("Location"))
	}
	return pass("%s", e.first)
}

// statusUninstalled is the answer to a cart of a store that does not have the app.
const statusUninstalled = 310

func checkTime(ctx context.Context, e *exam) (_ outcome, err error) {
	if e.first.late && e.catchesUp(ctx, e.first) {
		if e.first, err = e.kind.call(ctx, e); err != nil {
			return outcome{}, err
		}
	}
	if e.first.late {
		return fail("no answer within %s, twice", e.kind.limit())
	}
	return pass("%s of %s", e.first.took.Round(time.Millisecond), e.kind.limit())
}

func checkStatus(_ context.Context, e *exam) (outcome, error) {
	switch {
	case e.first.accepted:
		return pass("%s", e.first)
	case e.first.status == 0:
		return fail("no answer: %s", e.first.says)
	}
	return fail("status %d with %s: %s", e.first.status, shown(e.first.ex.answer), e.first.says)
}

// String is the status of an answer, or why there was none.
func (v verdict) String() string {
	switch {
	case v.late:
		return "no answer in time"
	case v.status == 0:
		return "no answer: " + v.says
	}
	return fmt.Sprintf("status %d after %s", v.status, v.took.Round(time.Millisecond))
}

// String is the status of an answer, or why there was none.
func (x exchange) String() string {
	switch {
	case late(x.err):
		return "no answer in time"
	case x.err != nil:
		return "no answer: " + cause(x.err)
	}
	return fmt.Sprintf("status %d with %s", x.status, shown(x.answer))
}

// shown is the begin of a body.
func shown(raw []byte) string {
	if len(raw) == 0 {
		return "no body"
	}
	const most = 120
	if len(raw) > most {
		raw = raw[:most]
	}
	return fmt.Sprintf("%q", raw)
}
