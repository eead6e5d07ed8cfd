package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleBlogService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	blog, err := v202503.Blogs(c).Get(ctx)
	if err != nil {
		log.Fatal(err)
	}
	id, err := v202503.Blogs(c).CreatePost(ctx, blog.ID, client.BlogPostInput{
		Language: "es", Title: "Novedades", Content: client.Set("<p>Llegó el té.</p>"), Published: client.Set(true),
	})
	if err != nil {
		log.Fatal(err)
	}
	post, err := v202503.Blogs(c).GetPost(ctx, blog.ID, id)
	if err != nil {
		log.Fatal(err)
	}
	text, _ := post.In("es")
	fmt.Println(text.Title, text.Handle, !post.PublishedAt.IsZero())
	// Output:
	// Novedades novedades true
}
