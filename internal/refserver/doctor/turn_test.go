package doctor_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

// Two examinations at one server do not take the address of the app from each other. One that was killed is not
// waited for.
func TestExaminationsTakeTurns(t *testing.T) {
	t.Parallel()
	o := place(t, doctor.Discounts, "")
	killed := httptest.NewServer(http.NotFoundHandler())
	killed.Close()
	w := &world{}
	w.dial(t, o.Control)
	must(t, w.Call(t.Context(), http.MethodPut, "partners",
		map[string]any{"origin": "https://turn-of-the-doctor.example", "targets": []string{killed.URL}}, nil))
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			report, err := doctor.Examine(t.Context(), o)
			if err != nil || len(report.In(doctor.Failed)) > 0 {
				t.Errorf("%v, %+v", err, report.In(doctor.Failed))
			}
		})
	}
	both.Wait()
}
