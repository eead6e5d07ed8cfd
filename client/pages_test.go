package client

import "testing"

func TestContentPageServiceRequests(t *testing.T) {
	ctx := t.Context()
	requests(t, Version202503, as[ContentPageService], []request[ContentPageService]{
		{"GET /2025-03/123/pages page=1&per_page=5", `{"pages":{"results":[{"id":7,"content":[]}],"total":17,"page":1,"perPage":5,"lastPage":4}}`, func(s *ContentPageService) error {
			page, err := s.List(ContentPageFilter{Page: 1, PerPage: 5}).Page(ctx)
			if err == nil && (page.Total != 17 || len(page.Items) != 1 || page.Items[0].ID != 7 || !page.Next()) {
				t.Errorf("got %+v", page)
			}
			return err
		}},
		{"GET /2025-03/123/pages/7", `{"id":7}`, func(s *ContentPageService) error { _, err := s.Get(ctx, 7); return err }},
		{`POST /2025-03/123/pages {"page":{"publish":true,"i18n":{"es_AR":{"title":"Nosotros","content":"<p>Somos</p>","seo_handle":"nosotros"}}}}`, `{"id":7}`, func(s *ContentPageService) error {
			_, err := s.Create(ctx, ContentPageInput{Publish: true, Texts: map[string]ContentPageText{
				"es_AR": {Title: "Nosotros", Content: Set("<p>Somos</p>"), SEOHandle: Set("nosotros")},
			}})
			return err
		}},
		{`PUT /2025-03/123/pages/7 {"title":"Quiénes somos","content":""}`, `{"id":7}`, func(s *ContentPageService) error {
			_, err := s.Update(ctx, 7, ContentPageText{Title: "Quiénes somos", Content: Set("")})
			return err
		}},
		{"DELETE /2025-03/123/pages/7", `{"message":"Page deleted successfully."}`, func(s *ContentPageService) error { return s.Delete(ctx, 7) }},
	})
	refused(t, Version202503, as[ContentPageService], map[string]func(*ContentPageService) error{
		"i18n: ": func(s *ContentPageService) error { _, err := s.Create(ctx, ContentPageInput{}); return err },
		"i18n.es_AR.title: ": func(s *ContentPageService) error {
			_, err := s.Create(ctx, ContentPageInput{Texts: map[string]ContentPageText{"es_AR": {}}})
			return err
		},
	})
}
