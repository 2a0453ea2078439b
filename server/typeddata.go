package server

import (
	"math/big"

	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/gen/api"
)

// toAPITypedData writes typed data as eth_signTypedData_v4 takes it.
func toAPITypedData(data apitypes.TypedData) api.TypedData {
	types := make(map[string][]api.TypedDataField, len(data.Types))
	for name, fields := range data.Types {
		types[name] = mapAll(fields, func(f apitypes.Type) api.TypedDataField {
			return api.TypedDataField{Name: f.Name, Type: f.Type}
		})
	}
	return api.TypedData{
		Types: types, PrimaryType: data.PrimaryType, Message: data.Message,
		Domain: api.TypedDataDomain{
			Name: data.Domain.Name, Version: data.Domain.Version,
			ChainID: (*big.Int)(data.Domain.ChainId).Int64(), VerifyingContract: data.Domain.VerifyingContract,
		},
	}
}
