package unstable_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
)

func TestPlansOfUnstable(t *testing.T) {
	srv := clienttest.New(t)
	app, err := client.NewApp(client.AppConfig{ID: srv.App().ID, Secret: srv.App().Secret, Config: client.Config{
		BaseURL: srv.URL(), UserAgent: "Tests (tests@app.example)", HTTPClient: &http.Client{Transport: srv.Transport()},
	}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := unstable.Plans(app).Create(t.Context(), client.PlanInput{Code: "pro"})
	if err != nil || plan.Code != "pro" {
		t.Errorf("created %+v, %v", plan, err)
	}
	asked := srv.Requests()
	if len(asked) != 1 || !strings.HasPrefix(asked[0].Path, "/unstable/apps/") {
		t.Errorf("asked %+v, want the path of version unstable", asked)
	}
}
