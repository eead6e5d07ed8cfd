package client

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestScriptReadsBothGenerations(t *testing.T) {
	var s Script
	if err := wire.Unmarshal([]byte(`{"id":12345,"event":"onfirstinteraction","location":"store","created_at":"2024-09-11T20:19:29.000Z","is_auto_install":true,"current_version":{"id":"1","version":"2"},"draft_version":null}`), &s); err != nil {
		t.Fatal(err)
	}
	if !s.Event.Known() || !s.Location.Known() || !s.CurrentVersion.Valid || s.CurrentVersion.V.Version != 2 || s.DraftVersion.Valid || len(s.Params.Members) > 0 {
		t.Errorf("got %+v", s)
	}
	var legacy Script
	if err := wire.Unmarshal([]byte(`{"id":1,"src":"https://app.example/s.js","event":"onload","where":"store,checkout"}`), &legacy); err != nil {
		t.Fatal(err)
	}
	if legacy.Src != "https://app.example/s.js" || legacy.Where != "store,checkout" || legacy.Event != ScriptEventOnLoad || len(legacy.Extra) > 0 {
		t.Errorf("got %+v", legacy)
	}
}

func TestScriptListHasTwoForms(t *testing.T) {
	for body, total := range map[string]int{`{"result":[{"id":5}],"total":1}`: 1, `[{"id":5}]`: -1, `{"result":[],"total":0}`: 0, `[]`: -1} {
		v, _ := answering(t, VersionV1, body)
		page, err := (*ScriptService)(v).List(ScriptFilter{}).Page(t.Context())
		if err != nil || page.Total != total || len(page.Items) != strings.Count(body, "id") || len(page.Items) > 0 && page.Items[0].ID != 5 {
			t.Errorf("%s: got %+v, %v, want what it has and total %d", body, page, err, total)
		}
	}
}

func TestScriptServiceRequests(t *testing.T) {
	ctx := t.Context()
	params := struct {
		ParamA int `json:"paramA"`
	}{2}
	requests(t, VersionV1, as[ScriptService], []request[ScriptService]{
		{"GET /v1/123/scripts page=2&per_page=10", `{"id":7}`, func(s *ScriptService) error {
			_, err := s.List(ScriptFilter{Page: 2, PerPage: 10}).Page(ctx)
			return err
		}},
		{`POST /v1/123/scripts {"script_id":7,"query_params":"{}"}`, `{"id":7}`, func(s *ScriptService) error {
			_, err := s.Associate(ctx, ScriptInput{ScriptID: 7})
			return err
		}},
		{`POST /v1/123/scripts {"script_id":7,"query_params":"{\"paramA\":2}"}`, `{"id":7}`, func(s *ScriptService) error {
			_, err := s.Associate(ctx, ScriptInput{ScriptID: 7, QueryParams: params})
			return err
		}},
		{`PUT /v1/123/scripts/7 {"script_id":7,"query_params":"{\"a\":\"\\\"\",\"b\":[1]}"}`, `{"id":7}`, func(s *ScriptService) error {
			_, err := s.Update(ctx, 7, ScriptInput{ScriptID: 7, QueryParams: map[string]any{"b": []int{1}, "a": `"`}})
			return err
		}},
	})
	refused(t, VersionV1, as[ScriptService], map[string]func(*ScriptService) error{
		"script_id: ":         func(s *ScriptService) error { _, err := s.Associate(ctx, ScriptInput{}); return err },
		`query_params: "[1]"`: func(s *ScriptService) error { _, err := s.Associate(ctx, ScriptInput{7, []int{1}}); return err },
		`query_params: "7"`:   func(s *ScriptService) error { _, err := s.Update(ctx, 7, ScriptInput{7, 7}); return err },
	})
}
