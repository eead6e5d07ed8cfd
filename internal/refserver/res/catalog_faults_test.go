package res_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func productFaults() map[string]object {
	return map[string]object{
		"The video url field is not a secure url":                                      {"video_url": "http://video.example/1"},
		"seo_title: The seo title may not be greater than 70 characters.":              {"seo_title": strings.Repeat("é", 71)},
		"seo_description: The seo description may not be greater than 320 characters.": {"seo_description": strings.Repeat("é", 321)},
		"Product is not allowed to have more than 3 attributes":                        {"attributes": array{"A", "B", "C", "D"}},
		"Attributes cannot be repeated":                                                {"attributes": array{"A", object{"en": "A", "es": "B"}}},
		"attributes: can't be blank":                                                   {"attributes": array{""}},
		"categories: The selected categories is invalid.":                              {"categories": array{1}},
	}
}

func categoryFaults() map[string][]object {
	return map[string][]object{
		"name: can't be blank": {{"name": ""}, {"name": object{}}, {"name": nil}},
		"description: The description may not be greater than 65535 characters.": {{"description": "12345678901"}, {"description": object{"es": "12345678901"}}},
		"visibility: The selected visibility is invalid":                         {{"visibility": "soft-hidden"}, {"visibility": "secret"}, {"visibility": ""}},
		"parent: The selected parent is invalid.":                                {{"parent": 1}, {"parent": "none"}},
	}
}

type variantFault struct {
	text  string
	body  object
	stock bool
	alter func(*world.Tx)
}

func variantFaults(foreignImage int64) []variantFault {
	const nowhere = "01HZZZZZZZZZZZZZZZZZZZZZZZ"
	levels := func(l ...object) object { return object{"inventory_levels": l} }
	oneLocation := func(tx *world.Tx) {
		s := tx.Store()
		s.Features = nil
		tx.SetStore(s)
		l := tx.FirstLocation()
		l.ID, l.Priority = nowhere, 1
		_ = tx.Locations.Put(l.ID, l)
	}
	return []variantFault{
		{text: "The selected age group is invalid", body: object{"age_group": "teen"}},
		{text: "The selected gender is invalid", body: object{"gender": "other"}},
		{text: "price: The price must be a number.", body: object{"price": "dear"}},
		{text: "price: The price must be a number.", body: object{"price": array{1}}},
		{text: "price: The price must be a number.", body: object{"price": json.RawMessage("1e999999999")}},
		{text: "price: The price must be at least 0.", body: object{"price": "-0.01"}},
		{text: "promotional_price: The promotional price must be at least 0.", body: object{"promotional_price": -1}},
		{text: "cost: The cost must be greater than 0.", body: object{"cost": 0}},
		{text: "weight: The weight must be at least 0.", body: object{"weight": "-1"}},
		{text: "image_id: The selected image id is invalid.", body: object{"image_id": foreignImage}},
		{text: "image_id: The selected image id is invalid.", body: object{"image_id": "none"}},
		{text: "sku: has already been taken", body: object{"sku": "TAKEN"}},
		{text: "stock: The stock must be an integer.", body: object{"stock": "plenty"}, stock: true},
		{text: "stock: The stock must be an integer.", body: levels(object{"stock": 1.5}), stock: true},
		{text: "stock: The stock must be at least 0.", body: object{"stock": -1}, stock: true},
		{text: "stock: The stock may not be greater than 1000000000000000.", body: object{"stock": int64(1e15) + 1}, stock: true},
		{text: "stock: The stock may not be greater than 1000000000000000.", body: levels(object{"stock": "9223372036854775808"}), stock: true},
		{text: "stock: The stock field is required.", body: levels(object{}), stock: true},
		{text: "location_id: The selected location id is invalid.", body: levels(object{"location_id": nowhere, "stock": 1}), stock: true},
		{text: "inventory_levels: Several locations are not enabled for the store", body: levels(object{"stock": 1}, object{"location_id": nowhere, "stock": 1}), stock: true, alter: oneLocation},
	}
}

type imageFault struct {
	text     string
	body     object
	creating bool
}

func imageFaults() []imageFault {
	encode := func(content string) string { return base64.StdEncoding.EncodeToString([]byte(content)) }
	return []imageFault{
		{text: "src: can't be blank", body: object{"position": 1}, creating: true},
		{text: "src: is not a valid URL", body: object{"src": "img.example/a.png"}},
		{text: "src: is not a valid URL", body: object{"src": "ftp://img.example/a.png"}},
		{text: "src: is not a valid URL", body: object{"src": "//"}},
		{text: "src: is not a valid URL", body: object{"src": "https://:80/a.png"}},
		{text: "src: must be a gif, jpg, png or webp image", body: object{"src": "https://img.example/a.svg"}},
		{text: "src: must be a gif, jpg, png or webp image", body: object{"src": "//img.example/a.AVIF?x=.png"}},
		{text: "src: must be a gif, jpg, png or webp image", body: object{"src": "https://img.example/a.mp4"}},
		{text: "filename: can't be blank", body: object{"attachment": encode("GIF89a")}, creating: true},
		{text: "attachment: is not valid Base64", body: object{"filename": "a.gif", "attachment": "%%%"}},
		{text: "attachment: must be a gif, jpg, png or webp image", body: object{"filename": "a.gif", "attachment": encode("hello")}},
		{text: "attachment: must be a gif, jpg, png or webp image", body: object{"filename": "a.bmp", "attachment": encode("BM" + strings.Repeat("x", 30))}},
		{text: "attachment: must be smaller than 10 MB", body: object{"filename": "a.gif", "attachment": encode("GIF89a" + strings.Repeat("x", 94))}},
		{text: "store_media_uuid: The selected store media uuid is invalid.", body: object{"store_media_uuid": "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"}},
		{text: "position: The position must be an integer.", body: object{"src": "https://img.example/a.png", "position": "first"}},
		{text: "position: The position must be at least 1.", body: object{"src": "https://img.example/a.png", "position": 0}},
	}
}
