package carrier_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
)

// Judge has the rules of the platform for an answer that is known with its request alone.
func TestJudge(t *testing.T) {
	rate := func(members string) string {
		return `{"rates":[{"name":"n","code":"c","price":1,"currency":"ARS",` + members + `}]}`
	}
	var many []string
	for range 11 {
		many = append(many, `{"name":"n","code":"p","price":1,"currency":"ARS","type":"pickup","address":{},"hours":[{"day":1,"start":"0900","end":"1800"}]}`)
	}
	for name, tc := range map[string]struct {
		status       int
		answer, want string
	}{
		"ship":         {200, rate(`"type":"ship"`), ""},
		"none":         {200, `{"rates":[]}`, ""},
		"refused":      {422, "x", ""},
		"overload":     {429, "", ""},
		"broken":       {503, "", "status 503: must be 200"},
		"redirect":     {302, "", "status 302: must be 200"},
		"no rates":     {200, `{}`, "must be an object with the array rates"},
		"no price":     {200, `{"rates":[{"name":"n","code":"c","currency":"ARS","type":"ship"}]}`, "rates[0] is not shown: price is missing"},
		"currency":     {200, strings.ReplaceAll(rate(`"type":"ship"`), "ARS", "BRL"), "must be ARS"},
		"no point":     {200, rate(`"type":"pickup"`), "address and hours"},
		"too many":     {200, `{"rates":[` + strings.Join(many, ",") + `]}`, "rates[10] is not shown: code \"p\": must have at most 10"},
		"a code twice": {200, `{"rates":[{"name":"n","code":"c","price":1,"currency":"ARS","type":"ship"},{"name":"n","code":"c","price":1,"currency":"ARS","type":"ship"}]}`, "rates[1]"},
	} {
		err := carrier.Judge([]byte(`{"currency":"ARS"}`), tc.status, []byte(tc.answer))
		if fmt.Sprint(err) == "<nil>" != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", name, err, tc.want)
		}
	}
	if err := carrier.Judge([]byte("x"), 200, []byte(`{"rates":[]}`)); err == nil {
		t.Error("a request that is none was taken for one")
	}
}
