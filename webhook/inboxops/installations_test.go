package inboxops_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// refuse makes a Judge observe refusals of a token by stores 1 to n.
func refuse(t *testing.T, j *client.Judge, n client.ID) {
	t.Helper()
	for store := client.ID(1); store <= n; store++ {
		j.Observe(t.Context(), store, client.ErrUnauthorized)
	}
}

// The overview shows the stores that refuse the token, with their evidence, and an outage of authorization.
func TestInstallations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		judge := &client.Judge{OnOutage: func(context.Context, client.AuthorizationOutage) {}}
		h := &inboxops.Handler{Inbox: memory(t), Every: time.Hour, Judge: judge}
		shows := func(path string, want ...string) {
			t.Helper()
			got := ask(h, "GET", path, "localhost", "127.0.0.1:5000").Body.String()
			for _, text := range want {
				if !strings.Contains(got, text) {
					t.Errorf("%s has no %q: %s", path, text, got)
				}
			}
		}
		shows("/", "No store refuses the token of the app.")
		shows("/api/overview", `"installations":{"doubts":[]}`)

		refuse(t, judge, 2)
		time.Sleep(5 * time.Minute)
		refuse(t, judge, 1)
		shows("/", `<a href="entries?store=2">2</a>`, "doubtful", "5 min ago")
		time.Sleep(5 * time.Minute)
		refuse(t, judge, 1)
		shows("/api/overview", `{"store":1,"access":"gone","since":"2000-01-01T00:00:00Z","refusals":3}`,
			`{"store":2,"access":"doubtful","since":"2000-01-01T00:00:00Z","refusals":1}`)

		refuse(t, judge, 150)
		time.Sleep(time.Minute)
		shows("/", "For 1 min the platform has been refusing the tokens of 150 stores", "50 more stores are not shown")
		shows("/api/overview", `"outage_since":"2000-01-01T00:10:00Z"`, `"more":50`)
	})
}
