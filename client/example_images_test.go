package client_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleImageService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}})
	if err != nil {
		log.Fatal(err)
	}
	file := strings.NewReader("\x89PNG\r\n\x1a\n") // a real program uses os.Open
	in, err := client.ImageFrom(file, "front.png")
	if err != nil {
		log.Fatal(err)
	}
	in.Alt = client.Text{"en": "Front"}
	image, err := v202503.Images(c).Create(ctx, mug.ID, in)
	if err != nil {
		log.Fatal(err)
	}
	small, err := image.SizeURL(100)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(image.Position, image.Alt, strings.HasSuffix(small, "-100-0.png"))
	// Output:
	// 1 Front true
}
