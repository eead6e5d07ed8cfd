package res_test

import "slices"

// entityRefusals are those of what stands beside the catalog and the orders.
func entityRefusals(f *shop) []refusal {
	return slices.Concat(couponRefusals(f), locationRefusals(f), customFieldRefusals(f), metafieldRefusals(f), scriptRefusals(f), pageRefusals(f))
}

// wantStatus plays a call for its status only.
func (f *shop) wantStatus(want int, call string, body any) {
	f.Helper()
	if w := f.send(f.token, call, body); w.Code != want {
		f.Errorf("%s %v: %d %s, want %d", call, body, w.Code, w.Body, want)
	}
}
