package res_test

import (
	"fmt"
	"net/http"
	"testing"
)

func TestPage(t *testing.T) {
	f := open(t)
	f.want(f.object("2025-03 GET /pages", nil), object{"pages": object{"results": array{}, "total": 0, "page": 1, "perPage": 30, "lastPage": 0}})
	p := f.object("2025-03 POST /pages", object{"page": object{"publish": false, "i18n": object{
		"es_AR": object{"title": "Quiénes somos", "content": "<p>Hola</p>", "seo_title": "Nosotros"},
		"pt_BR": object{"title": "Quem somos", "seo_handle": "Sobre nós"}}}})
	f.want(p, object{"published": false, "store_id": f.store.ID, "name": object{"es_AR": "Quiénes somos", "pt_BR": "Quem somos"},
		"handle": object{"es_AR": "quienes-somos", "pt_BR": "sobre-nos"}, "content": object{"es_AR": "<p>Hola</p>", "pt_BR": ""}, "seo_title.es_AR": "Nosotros"})
	call := fmt.Sprintf("/pages/%d", id(p))
	f.want(f.object("unstable GET "+call, nil), object{"name": object{"es": "Quiénes somos", "pt": "Quem somos"}, "handle.es": "quienes-somos", "seo_description": object{"es": "", "pt": ""}})
	f.want(f.object("2025-03 PUT "+call, object{"content": "C", "publish": true}), object{"published": true, "content": object{"es": "C", "pt": "C"}, "name.pt": "Quem somos"})
	f.want(f.object("2025-03 PUT "+call, object{"title": "T", "seo_handle": "H"}), object{"name": object{"es": "T", "pt": "T"}, "handle": object{"es": "h", "pt": "h"}})
	q := f.object("2025-03 POST /pages", object{"page": object{"i18n": object{"es_AR": object{"title": "H"}}}})
	f.want(q, object{"published": true, "handle.es_AR": "h-1"})
	f.want(f.object("2025-03 GET /pages?per_page=1&page=2", nil), object{"pages.total": 2, "pages.page": 2, "pages.perPage": 1, "pages.lastPage": 2, "pages.results.0.id": id(q)})
	f.want(f.object("2025-03 DELETE "+call, nil), object{"message": "Page deleted successfully."})
	f.wantStatus(http.StatusNotFound, "2025-03 GET "+call, nil)
	f.wantStatus(http.StatusNotFound, "v1 GET /pages", nil)
}

func pageRefusals(f *shop) []refusal {
	const none = "Page not found"
	p := id(f.object("2025-03 POST /pages", object{"page": object{"i18n": object{"en": object{"title": "T"}}}}))
	out := []refusal{
		{op: "pages.get", status: 404, text: none, call: "2025-03 GET /pages/1"},
		{op: "pages.update", status: 404, text: none, call: "2025-03 PUT /pages/1", body: object{"title": "X"}},
		{op: "pages.update", status: 422, text: "title: The title field is required.", call: fmt.Sprintf("2025-03 PUT /pages/%d", p), body: object{"title": " "}},
		{op: "pages.delete", status: 404, text: none, call: "2025-03 DELETE /pages/1"},
	}
	for text, pages := range map[string][]any{
		"page: is invalid": {"T", array{}},
		"i18n: is invalid": {object{"i18n": "T"}, object{"i18n": object{"en": "T"}}},
		"page.i18n: The page.i18n field is required.":                   {object{}, object{"i18n": object{}}},
		"page.i18n.en.title: The page.i18n.en.title field is required.": {object{"i18n": object{"en": object{}}}, object{"i18n": object{"en": object{"title": " "}}}},
	} {
		for _, page := range pages {
			out = append(out, refusal{op: "pages.create", status: 422, text: text, call: "2025-03 POST /pages", body: object{"page": page}})
		}
	}
	return append(out, refusal{op: "pages.create", status: 422, text: "page: The page field is required.", call: "2025-03 POST /pages", body: object{"title": "T"}})
}
