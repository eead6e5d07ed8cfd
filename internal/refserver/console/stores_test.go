package console_test

import (
	"fmt"
	"regexp"
	"testing"
)

// The page of stores stays small, and leads to all of them and to all apps.
func TestManyStoresAndApps(t *testing.T) {
	d := open(t)
	const n = 60
	for i := range n {
		d.api("POST", "apps", fmt.Sprintf(`{"name":"App %d","redirect_url":"https://app.example/%d"}`, i, i), nil)
		d.api("POST", "stores", fmt.Sprintf(`{"id":%d}`, 5000+i), nil)
	}
	titles := regexp.MustCompile(`>(Store|App) (\d+)</h2>`)
	found := map[string]int{}
	for _, next := range []string{"after", "app_after"} {
		link := regexp.MustCompile(`href="(/stores\?` + next + `=\d+)"`)
		for path, pages := "/stores", 0; path != ""; pages++ {
			status, page := d.get(path)
			if status != 200 || len(page) > 100<<10 || pages > n {
				t.Fatalf("%s: status %d, %d bytes, page %d", path, status, len(page), pages)
			}
			for _, m := range titles.FindAllStringSubmatch(page, -1) {
				found[m[1]+" "+m[2]]++
			}
			if path = ""; link.MatchString(page) {
				path = link.FindStringSubmatch(page)[1]
			}
		}
	}
	stores, apps := 0, 0
	for name := range found {
		if name[0] == 'S' {
			stores++
		} else {
			apps++
		}
	}
	if stores < n+1 || apps < n+1 {
		t.Errorf("the pages show %d stores and %d apps, want %d of each", stores, apps, n+1)
	}
}
