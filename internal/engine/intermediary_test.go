package engine

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// Only the platform's own words are a refusal. Everything else with such a status is sent by something between.
func TestOnlyThePlatformsWordsCount(t *testing.T) {
	for _, r := range hostile.Refusals(t, "testdata/refusals.tsv") {
		resp := &http.Response{StatusCode: r.Status, Header: http.Header{}}
		for i := 0; i+1 < len(r.Headers); i += 2 {
			resp.Header.Set(r.Headers[i], r.Headers[i+1])
		}
		if got := byIntermediary(resp, http.MethodGet, []byte(r.Body), false); got == r.Platform {
			t.Errorf("%v: %s: by an intermediary: %t", r, r.Body, got)
		}
	}
}

// The reference server writes what it refuses into a file, so that the two share no code.
func TestRefusalsOfTheReferenceServerAreThePlatforms(t *testing.T) {
	data, err := os.ReadFile("../refserver/res/testdata/refusals.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		code, body, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		status, err := strconv.Atoi(code)
		if err != nil {
			t.Fatal(err)
		}
		if byIntermediary(&http.Response{StatusCode: status}, http.MethodGet, []byte(body), false) {
			t.Errorf("%d %s: must be the platform's", status, body)
		}
		n++
	}
	if n < 100 {
		t.Errorf("%d refusals, want all of them", n)
	}
}

// The first members of a refusal that was cut are enough. An answer to HEAD has no body; its headers decide.
func TestPartsOfRefusals(t *testing.T) {
	long := `{"code":422,"message":"Unprocessable Entity","description":"Validation error","name":["` +
		strings.Repeat("a", MaxErrorBody)
	metered := http.Header{"X-Rate-Limit-Limit": {"40"}, "X-Rate-Limit-Remaining": {"39"}}
	for _, c := range []struct {
		method string
		status int
		header http.Header
		body   string
		cut    bool
		want   bool
	}{
		{http.MethodGet, 422, nil, long[:MaxErrorBody], true, false},
		{http.MethodGet, 422, nil, long[:MaxErrorBody], false, true},
		{http.MethodGet, 422, nil, `{"name":["can't be blank"],"sku":["is`, true, false},
		{http.MethodGet, 404, nil, `{"code":404,"message":"Not Found","descr`, true, true},
		{http.MethodGet, 404, nil, `{"code":404,"message":"Not Found","description":null`, true, false},
		{http.MethodGet, 404, nil, `{"code":404,"message":"Not Found","description":null} <html>`, true, true},
		{http.MethodGet, 404, metered, ``, false, true},
		{http.MethodHead, 404, metered, ``, false, false},
		{http.MethodHead, 404, nil, ``, false, true},
	} {
		resp := &http.Response{StatusCode: c.status, Header: c.header}
		if got := byIntermediary(resp, c.method, []byte(c.body), c.cut); got != c.want {
			t.Errorf("%s %d %.60s, cut %t: by an intermediary: %t, want %t", c.method, c.status, c.body, c.cut, got, c.want)
		}
	}
}

// What something between says is treated like a 502: it is repeated where that is safe, decides nothing about a write,
// and does not remove.
func TestIntermediariesDecideNothing(t *testing.T) {
	for _, status := range []int{400, 401, 402, 403, 404, 409, 422, 429} {
		for class := range reactions {
			t.Run(fmt.Sprintf("%d %s", status, class), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					requests := func(answer hostile.Answer) (int, *Error) {
						s := hostile.Answers(answer)
						err := newTest(t, s).Do(t.Context(), Request{Method: methodOf(class), Path: "/x", Retry: class}, nil)
						e, _ := errors.AsType[*Error](err)
						return len(s.Seen), e
					}
					want, like := requests(hostile.Status(502, "<html>"))
					got, e := requests(hostile.Status(status, "<html>"))
					if e == nil || !e.Foreign || e.Unknown != like.Unknown || e.Silent || got != want {
						t.Errorf("got %d requests and %+v, want %d and %+v", got, e, want, like)
					}
				})
			})
		}
	}
}

func methodOf(class Class) string {
	switch class {
	case Read:
		return http.MethodGet
	case Remove:
		return http.MethodDelete
	}
	return http.MethodPut
}

// A passing page of a gateway costs a read nothing.
func TestPassingRefusalOfAGateway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, status := range []int{401, 403, 404, 429} {
			s := hostile.Answers(hostile.Status(status, `{"message":"no Route matched"}`), hostile.Status(200, `{}`))
			if err := newTest(t, s).Do(t.Context(), Request{Path: "/store"}, nil); err != nil || len(s.Seen) != 2 {
				t.Errorf("%d: %v after %d requests, want the second answer", status, err, len(s.Seen))
			}
			time.Sleep(time.Minute)
		}
	})
}
