// Lists the wallets of whom a token is of, by the client that oapi-codegen has made.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/client/points"
)

func main() {
	address, token := os.Args[1], os.Args[2]
	signIn := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	client, err := points.NewClientWithResponses(address, points.WithRequestEditorFn(signIn))
	if err != nil {
		panic(err)
	}
	answer, err := client.ListWalletsWithResponse(context.Background(), nil)
	if err != nil {
		panic(err)
	}
	if answer.JSON401 != nil {
		fmt.Println(answer.JSON401.Code)
		return
	}
	for _, wallet := range *answer.JSON200 {
		fmt.Printf("%s: %d points\n", wallet.Tenant.Name, wallet.Balance)
	}
}
