package doctor

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// forgery is a call of a stranger, made of a genuine one.
type forgery struct {
	how  string
	make func(x *exchange)
}

// refuses returns a check that each forgery is answered 4xx.
func refuses(all func(e *exam) []forgery) func(ctx context.Context, e *exam) (outcome, error) {
	return forges(all, func(x exchange) bool {
		o, _ := refused(x) // never an error
		return o.state == Passed
	})
}

// disbelieves returns a check that no forgery is answered as if it were genuine. Other checks are about the status.
func disbelieves(all func(e *exam) []forgery) func(ctx context.Context, e *exam) (outcome, error) {
	return forges(all, func(x exchange) bool { return x.err == nil && x.status >= 400 || x.err != nil && !late(x.err) })
}

// forges returns a check that each forgery is answered right. No forgery may end the program.
func forges(all func(e *exam) []forgery, right func(exchange) bool) func(context.Context, *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		if !e.kind.signs(e) {
			return skip(unsignedCarts)
		}
		forged := all(e)
		for _, f := range forged {
			x := e.posted()
			x.header = x.header.Clone()
			f.make(&x)
			x = e.direct(ctx, x)
			if !right(x) {
				return fail("%s: %s; must be 4xx", f.how, x)
			}
			if x.err == nil {
				continue
			}
			if alive := e.direct(ctx, e.posted()); alive.err != nil {
				return fail("%s: %s; a genuine call after it got %s", f.how, x, alive)
			}
		}
		return pass("%d calls, each refused", len(forged))
	}
}

// unsignedCarts is why nothing about the signatures of carts is checked.
const unsignedCarts = "carts are signed if the secret is given; else the app must allow the platform's addresses alone"

// strip removes the signature of either kind.
func strip(x *exchange) {
	for _, name := range signatureHeaders {
		x.header.Del(name)
	}
}

// with returns a forgery without a signature and with other headers, in pairs.
func with(how string, pairs ...string) forgery {
	return forgery{how, func(x *exchange) {
		strip(x)
		for pair := range slices.Chunk(pairs, 2) {
			x.header.Set(pair[0], pair[1])
		}
	}}
}

// strangerChecks are those of what a stranger varies, for each kind of calls that are signed.
func strangerChecks() []check {
	after := []string{"unsigned", "wrong signature"}
	return []check{
		{
			name: "unsigned types", sent: "unsigned bodies of six content types, and of none", rule: ruleTrust, after: after,
			run: disbelieves(otherTypes), fix: "verify before the type is looked at, over the bytes that arrived",
		},
		{
			name: "unsigned methods", sent: "unsigned PUT, PATCH and DELETE, also as a POST with an overriding header", rule: ruleTrust,
			after: after, run: disbelieves(otherMethods), fix: "verify each method that is not answered 405",
		},
		{
			name: "unsigned chunks", sent: "unsigned bodies in chunks, without Content-Length", rule: ruleTrust, after: after,
			run: disbelieves(otherShapes), fix: "verify each call, whether it has a length or not",
		},
		{
			name: "forwarded", sent: "unsigned calls that name the addresses of a proxy, of this machine and of the platform",
			rule: ruleTrust, after: after, run: disbelieves(forwarded),
			fix: "no other header, X-Forwarded-For included, takes the place of the signature: a stranger writes them all",
		},
		{
			name: "parameters", sent: "unsigned calls with parameters in the address", rule: ruleTrust, after: after,
			run: disbelieves(parameters), fix: "take the signature from its header alone, and let no parameter switch it off",
		},
		{
			name: "unsigned bodies", sent: "unsigned bodies that are empty, not JSON, or say that they are a test", rule: ruleTrust,
			after: append(after, "another body"), run: refuses(otherBodies), fix: "verify every body first, even one that is empty, cannot be read or says that it is a test",
		},
	}
}

func otherTypes(*exam) []forgery {
	out := []forgery{{"no Content-Type", func(x *exchange) { strip(x); x.header.Del("Content-Type") }}}
	for _, name := range []string{
		"application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/plain", "text/xml",
		"application/json; charset=utf-8", "application/octet-stream",
	} {
		out = append(out, with(name, "Content-Type", name))
	}
	return out
}

func otherMethods(*exam) []forgery {
	var out []forgery
	for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete} {
		out = append(out, forgery{method, func(x *exchange) { strip(x); x.method = method }},
			with("X-HTTP-Method-Override: "+method, "X-Http-Method-Override", method))
	}
	return out
}

func otherShapes(*exam) []forgery {
	return []forgery{
		{"in chunks", func(x *exchange) { strip(x); x.shape = chunked }},
		{"with Expect: 100-continue", func(x *exchange) { strip(x); x.shape = expectings }},
	}
}

func forwarded(e *exam) []forgery {
	var out []forgery
	for _, name := range []string{"X-Forwarded-For", "X-Real-Ip", "Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip"} {
		for _, address := range []string{"127.0.0.1", "10.0.0.1"} {
			out = append(out, with(name+": "+address, name, address))
		}
	}
	for _, host := range []string{"localhost", "127.0.0.1", "app.internal"} {
		out = append(out, forgery{"Host: " + host, func(x *exchange) { strip(x); x.host = host }})
	}
	home := strings.TrimSuffix(e.platform.URL(), "/")
	return append(out, with("Forwarded", "Forwarded", "for=127.0.0.1;host=localhost;proto=https"),
		with("X-Forwarded-Host", "X-Forwarded-Host", "localhost"), with("Origin", "Origin", home, "Referer", home+"/"),
		with("X-Verified", "X-Verified", "true", "X-Signature-Verified", "1"),
		with("Authorization", "Authorization", "Bearer "+strings.Repeat("0", 40)), with("a test", "X-Test", "1", "X-Debug", "1"))
}

func parameters(*exam) []forgery {
	var out []forgery
	wrong := strings.Repeat("5a", 32)
	for _, query := range []string{
		"signature=" + wrong, "hmac=" + wrong, "x-platform-hmac-sha256=" + wrong, "_method=PUT", "debug=1", "test=true", "verify=0",
		"skip_verification=1", "skip_signature=true", "env=development",
	} {
		out = append(out, forgery{"?" + query, func(x *exchange) {
			strip(x)
			x.uri += map[bool]string{true: "&", false: "?"}[strings.Contains(x.uri, "?")] + query
		}})
	}
	return out
}

func otherBodies(e *exam) []forgery {
	var out []forgery
	for _, body := range []string{
		"", "{}", "null", "[]", "{", `{"test":true}`, `{"event":"ping"}`, "\xff\xfe",
		fmt.Sprintf(`{"store_id":%d,"event":"test","id":1,"test":true}`, e.platform.store),
	} {
		set := func(x *exchange) { x.body = []byte(body) }
		out = append(out, forgery{fmt.Sprintf("unsigned body %q", body), func(x *exchange) { strip(x); set(x) }})
		if body == "" {
			out = append(out, forgery{"empty body with the signature of another", set})
		}
	}
	return out
}
