package client_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A record that was created twice is deleted only if the list that was read afterwards has both. Whatever else answers
// in the place of that list deletes nothing.
func TestEvidenceOfDuplicates(t *testing.T) {
	const hook = `{"id":%ID,"event":"order/paid","url":"https://app.example/h"}`
	const field = `{"id":%ID,"namespace":"n","key":"k","value":"v","owner_id":"7","owner_resource":"Product"}`
	for name, tt := range map[string]struct {
		record string
		ensure func(ctx context.Context, c *client.Client) error
	}{
		"webhook": {hook, func(ctx context.Context, c *client.Client) error {
			_, err := v202503.Webhooks(c).Ensure(ctx, "https://app.example/h", "order/paid")
			return err
		}},
		"metafield": {field, func(ctx context.Context, c *client.Client) error {
			_, err := v202503.Metafields(c).Set(ctx, client.MetafieldInput{
				Namespace: "n", Key: "k", Value: "v", OwnerID: 7, OwnerResource: client.MetafieldOwnerProduct,
			})
			return err
		}},
	} {
		created, older := withID(tt.record, "9"), withID(tt.record, "8")
		both := "[" + created + "," + older + "]"
		if n := deletions(t, tt.ensure, created, hostile.Status(200, both)); n != 1 {
			t.Errorf("%s: %d are deleted, want the later of two", name, n)
		}
		for list, answer := range map[string]hostile.Answer{
			"one": hostile.Status(200, "["+created+"]"), "none": hostile.Status(200, "[]"),
			"another store's": hostile.Status(200, "["+created+","+withID(`{"id":%ID}`, "8")+"]"),
			"a page":          hostile.Status(200, "<html>Sign in</html>", "Content-Type", "text/html"),
			"cut":             hostile.Status(200, both[:len(both)-1]),
		} {
			if n := deletions(t, tt.ensure, created, answer); n != 0 {
				t.Errorf("%s: %s: %d are deleted, want none", name, list, n)
			}
		}
		for _, e := range allEvidence(t) {
			if n := deletions(t, tt.ensure, created, e.answer); n != 0 {
				t.Errorf("%s: %s: %d are deleted, want none", name, e.name, n)
			}
		}
	}
}

func withID(record, id string) string { return strings.Replace(record, "%ID", id, 1) }

// deletions counts the records that are deleted if an answer follows the create.
func deletions(
	t *testing.T, ensure func(context.Context, *client.Client) error, created string, after hostile.Answer,
) (n int) {
	synctest.Test(t, func(t *testing.T) {
		posted := false
		c, s := gated(t, func(r *http.Request) (*http.Response, error) {
			switch {
			case r.Method == http.MethodPost:
				posted = true
				return hostile.Status(201, created)(r)
			case r.Method == http.MethodGet && (!posted || r.URL.Query().Get("page") == "2"):
				return hostile.Status(200, "[]")(r)
			case r.Method == http.MethodGet:
				return after(r)
			}
			return hostile.Status(200, "{}")(r)
		})
		_ = ensure(t.Context(), c)
		if !posted {
			t.Error("nothing was created")
		}
		for _, r := range s.Seen {
			if r.Method == http.MethodDelete {
				n++
			}
		}
	})
	return n
}
