package main

import (
	"fmt"
	"os"

	"github.com/commerceplatform/commerce-go/internal/proof/rolling/postgres"
	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
)

func main() {
	fmt.Fprintln(os.Stderr, replica.Run(rollingapp.Open))
	os.Exit(1)
}
