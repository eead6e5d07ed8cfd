module github.com/commerceplatform/commerce-go/internal/bench/peers

go 1.26.0

require (
	github.com/bold-commerce/go-shopify/v4 v4.0.0
	github.com/commerceplatform/commerce-go v0.0.0
	github.com/google/go-github/v74 v74.0.0
	github.com/shopspring/decimal v1.6.0
	github.com/stripe/stripe-go/v82 v82.5.1
	github.com/svix/svix-webhooks v1.44.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	github.com/google/go-querystring v1.1.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8 // indirect
	github.com/oklog/ulid/v2 v2.1.2 // indirect
	github.com/sony/gobreaker/v2 v2.4.0 // indirect
	golang.org/x/oauth2 v0.37.0 // indirect
	golang.org/x/time v0.16.0 // indirect
	gopkg.in/validator.v2 v2.0.1 // indirect
)

replace github.com/commerceplatform/commerce-go => ../../..
