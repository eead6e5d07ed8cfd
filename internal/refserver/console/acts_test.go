package console_test

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// The page Acts leads to a form of every act with a field for each member, and the form performs it.
func TestEveryActHasAForm(t *testing.T) {
	d := open(t)
	_, all := d.get("/acts")
	for _, a := range control.Acts() {
		if a.Streams {
			continue
		}
		if !strings.Contains(all, `href="/acts?act=`+a.Name+`"`) {
			t.Errorf("the page has no link to %s", a.Name)
		}
		status, page := d.get("/acts?act=" + a.Name)
		if status != 200 || strings.Contains(page, `role="alert"`) {
			t.Errorf("%s: %d", a.Name, status)
		}
		for _, m := range a.Members() {
			if !strings.Contains(page, `name="`+m.Kind+":"+m.Name+`"`) {
				t.Errorf("the form of %s has no field for %s", a.Name, m.Name)
			}
		}
	}
	if page := pageOf(d, "/acts?act=carts.buy"); !strings.Contains(page, ">Shipping postal code<") {
		t.Error("the fields of two addresses have one label")
	}
	for _, name := range []string{"carts.bye", "changes.follow"} {
		if status, _ := d.get("/acts?act=" + name); status == 200 {
			t.Errorf("%s has a page", name)
		}
	}
	for _, form := range filled(pageOf(d, "/acts?act=rule-settings.set")) {
		if form.Get("label") == "Do it" {
			form.Set("text:timeout", "300ms")
			d.send(form)
		}
	}
	var got struct{ Timeout string }
	if d.api("GET", "rule-settings", "", &got); got.Timeout != "300ms" {
		t.Errorf("the form set %q", got.Timeout)
	}
}

func pageOf(d *desk, path string) string {
	_, page := d.get(path)
	return page
}
