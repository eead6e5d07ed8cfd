package document

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// recordNames are the schemas of the files of testdata/wire whose names differ from them.
var recordNames = map[string]string{
	"order_v1": "order", "order_2025_03": "order", "draft_order": "draft", "blog_post": "post", "dispute_open": "dispute",
}

// called are the files that are bodies of calls of the platform.
var called = regexp.MustCompile(`^(discount_cart|rate_request|label_request|business_rule.*)$`)

var underscored = regexp.MustCompile(`_[a-z]`)

// examples adds the documents of testdata/wire to the schemas of their records, which take these forms too. A document
// without a record has a schema of its own.
func (s *source) examples(schemas map[string]schema) error {
	files, err := filepath.Glob(filepath.Join(s.root, "testdata/wire/*.json"))
	if err != nil {
		return err
	}
	for _, path := range files {
		file := strings.TrimSuffix(filepath.Base(path), ".json")
		if called.MatchString(file) {
			continue
		}
		name, ok := recordNames[file]
		if !ok {
			name = underscored.ReplaceAllStringFunc(file, func(part string) string { return strings.ToUpper(part[1:]) })
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		value, err := decode(raw)
		if err != nil {
			return err
		}
		if schemas[name] == nil {
			schemas[name] = schema{}
		}
		schemas[name].merge(infer(value))
		before, _ := schemas[name]["examples"].([]json.RawMessage)
		schemas[name]["examples"] = append(before, raw)
	}
	return nil
}
