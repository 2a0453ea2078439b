// Code generated via abigen V2 - DO NOT EDIT.
// This file is a generated binding and any manual changes will be lost.

package contracts

import (
	"bytes"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Reference imports to suppress errors if they are not otherwise used.
var (
	_ = bytes.Equal
	_ = errors.New
	_ = big.NewInt
	_ = common.Big1
	_ = types.BloomLookup
	_ = abi.ConvertType
)

// RewardDistributorMetaData contains all meta data concerning the RewardDistributor contract.
var RewardDistributorMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"contractIERC20\",\"name\":\"token_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"owner_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"signer_\",\"type\":\"address\"},{\"internalType\":\"uint96\",\"name\":\"dailyBudget_\",\"type\":\"uint96\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[],\"name\":\"InvalidShortString\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"InvalidVoucher\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"NothingToClaim\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"OwnableInvalidOwner\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"OwnableUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"OwnershipNotRenounceable\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint8\",\"name\":\"bits\",\"type\":\"uint8\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"SafeCastOverflowedUintDowncast\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"SafeERC20FailedOperation\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"string\",\"name\":\"str\",\"type\":\"string\"}],\"name\":\"StringTooLong\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"}],\"name\":\"VoucherExpired\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ZeroAddress\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"dailyBudget\",\"type\":\"uint256\"}],\"name\":\"BudgetChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"cumulative\",\"type\":\"uint256\"}],\"name\":\"Claimed\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[],\"name\":\"EIP712DomainChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferStarted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferred\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"signer\",\"type\":\"address\"}],\"name\":\"SignerChanged\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"acceptOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"available\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"cumulativeAmount\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"name\":\"claim\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"cumulativeAmount\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"}],\"name\":\"claimDigest\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"claimed\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"dailyBudget\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"eip712Domain\",\"outputs\":[{\"internalType\":\"bytes1\",\"name\":\"fields\",\"type\":\"bytes1\"},{\"internalType\":\"string\",\"name\":\"name\",\"type\":\"string\"},{\"internalType\":\"string\",\"name\":\"version\",\"type\":\"string\"},{\"internalType\":\"uint256\",\"name\":\"chainId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"verifyingContract\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"salt\",\"type\":\"bytes32\"},{\"internalType\":\"uint256[]\",\"name\":\"extensions\",\"type\":\"uint256[]\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"owner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"pendingOwner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"renounceOwnership\",\"outputs\":[],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint96\",\"name\":\"newDailyBudget\",\"type\":\"uint96\"}],\"name\":\"setBudget\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newSigner\",\"type\":\"address\"}],\"name\":\"setSigner\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"signer\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"token\",\"outputs\":[{\"internalType\":\"contractIERC20\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"transferOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "RewardDistributor",
	Bin: "0x61018080604052346103445760808161136780380380916100208285610348565b833981010312610344578051906001600160a01b038216908183036103445761004b6020820161036b565b92606061005a6040840161036b565b9201516001600160601b0381169490939085850361034457604051610080604082610348565b601181526020810190705461736b6d61726b65745265776172647360781b8252604051916100af604084610348565b600183526020830191603160f81b83526100c88161037f565b610120526100d58461037f565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a0815261013e60c082610348565b5190206080523060c0526001600160a01b0316801561033157600380546001600160a01b031990811690915560028054918216831790556001600160a01b03167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3156103225761016052600480546001600160a01b0319166001600160a01b0392909216918217905564ffffffffff421161030a576040519260608401926001600160401b038411858510176102f6577f84e250d57229c1f1dd3b83f1904f537a8774c3e3d10860e555559e63707d9aec946020946040528281528285820152604064ffffffffff4216910152600654908264ffffffffff60c01b4260c01b169262ffffff60e81b1617906c01000000000000000000000000600160c01b039060601b161717600655604051917f5719a5656c5cfdaafa148ecf366fd3b0a7fae06449ce2a46225977fb7417e29d5f80a28152a1604051610f7c90816103eb823960805181610e99015260a05181610f56015260c05181610e6a015260e05181610ee801526101005181610f0e0152610120518161034d0152610140518161037601526101605181818160ed01526107190152f35b634e487b7160e01b5f52604160045260245ffd5b6306dfcc6560e41b5f5260286004524260245260445ffd5b63d92e233d60e01b5f5260045ffd5b631e4fbdf760e01b5f525f60045260245ffd5b5f80fd5b601f909101601f19168101906001600160401b038211908210176102f657604052565b51906001600160a01b038216820361034457565b601f8151116103aa57602081519101516020821061039b571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f3560e01c908163238ac93314610995575080632ada8a321461063f57806348a0d754146106255780634eec7da1146105fa5780636c19e78314610573578063715018a61461053357806379ba50971461044957806384b0196e1461033557806386d9f999146102935780638da5cb5b14610260578063c884ef831461021b578063e30c3978146101e8578063ef4952a3146101b5578063f2fde38b146101155763fc0c546a146100c1575f80fd5b34610111575f60031936011261011157602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5f80fd5b346101115760206003193601126101115773ffffffffffffffffffffffffffffffffffffffff6101436109c5565b61014b610d4c565b16807fffffffffffffffffffffffff0000000000000000000000000000000000000000600354161760035573ffffffffffffffffffffffffffffffffffffffff600254167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b346101115760606003193601126101115760206101e06101d36109c5565b6044359060243590610b85565b604051908152f35b34610111575f60031936011261011157602073ffffffffffffffffffffffffffffffffffffffff60035416604051908152f35b346101115760206003193601126101115773ffffffffffffffffffffffffffffffffffffffff6102496109c5565b165f526005602052602060405f2054604051908152f35b34610111575f60031936011261011157602073ffffffffffffffffffffffffffffffffffffffff60025416604051908152f35b34610111576020600319360112610111576004356bffffffffffffffffffffffff81168091036101115760207f84e250d57229c1f1dd3b83f1904f537a8774c3e3d10860e555559e63707d9aec916102e9610d4c565b6103026102f4610ae0565b828082109118028218610c5e565b807fffffffffffffffffffffffffffffffffffffffff0000000000000000000000006006541617600655604051908152a1005b34610111575f600319360112610111576103ed6103717f0000000000000000000000000000000000000000000000000000000000000000610dfc565b61039a7f0000000000000000000000000000000000000000000000000000000000000000610dfc565b60206103fb604051926103ad8385610a2b565b5f84525f3681376040519586957f0f00000000000000000000000000000000000000000000000000000000000000875260e08588015260e08701906109e8565b9085820360408701526109e8565b4660608501523060808501525f60a085015283810360c08501528180845192838152019301915f5b82811061043257505050500390f35b835185528695509381019392810192600101610423565b34610111575f600319360112610111576003543373ffffffffffffffffffffffffffffffffffffffff821603610507577fffffffffffffffffffffffff000000000000000000000000000000000000000016600355600254337fffffffffffffffffffffffff000000000000000000000000000000000000000082161760025573ffffffffffffffffffffffffffffffffffffffff3391167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3005b7f118cdaa7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b34610111575f6003193601126101115761054b610d4c565b7f162a7846000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101115760206003193601126101115773ffffffffffffffffffffffffffffffffffffffff6105a16109c5565b6105a9610d4c565b16807fffffffffffffffffffffffff000000000000000000000000000000000000000060045416176004557f5719a5656c5cfdaafa148ecf366fd3b0a7fae06449ce2a46225977fb7417e29d5f80a2005b34610111575f6003193601126101115760206bffffffffffffffffffffffff60065416604051908152f35b34610111575f6003193601126101115760206101e0610ae0565b34610111576080600319360112610111576106586109c5565b60243560643560443567ffffffffffffffff821161011157366023830112156101115781600401359167ffffffffffffffff83116101115736602484830101116101115781421161096957916106d1916106cc602473ffffffffffffffffffffffffffffffffffffffff9501918688610b85565b610c2a565b5050168015908115610946575b5061091e5773ffffffffffffffffffffffffffffffffffffffff610700610ae0565b921690815f52600560205260405f2054810390811115027f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff8116936040517f70a08231000000000000000000000000000000000000000000000000000000008152306004820152602081602481895afa908115610913575f916108e1575b508082108183180218928380821091180280841893146108b5577f987d620f307ff6b94d58743cb7a7509f24071586a77759b77c2d4e29f75a2f9a60408592835f526005602052610806610801876107ee81865f2054610a99565b93875f52600560205284865f2055610ad3565b610c5e565b8151908682526020820152a2604051927fa9059cbb000000000000000000000000000000000000000000000000000000005f526004528160245260205f60448180855af19060015f5114821615610896575b50826040521561086a57602092508152f35b827f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b60018215166108ac573b15153d15161684610858565b833d5f823e3d90fd5b837f64ab3466000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b90506020813d60201161090b575b816108fc60209383610a2b565b81010312610111575186610793565b3d91506108ef565b6040513d5f823e3d90fd5b7f6d67dbd6000000000000000000000000000000000000000000000000000000005f5260045ffd5b905073ffffffffffffffffffffffffffffffffffffffff600454161415836106de565b507f07185d51000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b34610111575f6003193601126101115760209073ffffffffffffffffffffffffffffffffffffffff600454168152f35b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361011157565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610a6c57604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b91908201809211610aa657565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b91908203918211610aa657565b6040516060810181811067ffffffffffffffff821117610a6c57604052600654906bffffffffffffffffffffffff821691828252610b4664ffffffffff60208401926bffffffffffffffffffffffff8160601c16845260c01c1680604085015242610ad3565b92838102938185041490151715610aa6576bffffffffffffffffffffffff6201518081610b799451169404915116610a99565b90818082109118021890565b906042926040519173ffffffffffffffffffffffffffffffffffffffff60208401947feb78cbac71fc5557c6ec4a437a3c633d4d94756b9709e640223df013cde224c286521660408401526060830152608082015260808152610be960a082610a2b565b519020610bf4610e53565b90604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b9060418303610c5457610c4d9250602081013591604082359201355f1a90610d6d565b9192909190565b50505f9160029190565b6bffffffffffffffffffffffff8111610d1c5760065464ffffffffff4211610ceb577fffffff0000000000000000000000000000000000ffffffffffffffffffffffff77ffffffffffffffffffffffff0000000000000000000000007cffffffffff0000000000000000000000000000000000000000000000004260c01b169360601b1691161717600655565b7f6dfcc650000000000000000000000000000000000000000000000000000000005f5260286004524260245260445ffd5b7f6dfcc650000000000000000000000000000000000000000000000000000000005f52606060045260245260445ffd5b73ffffffffffffffffffffffffffffffffffffffff60025416330361050757565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610df1579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610913575f5173ffffffffffffffffffffffffffffffffffffffff811615610de757905f905f90565b505f906001905f90565b5050505f9160039190565b60ff811690601f8211610e2b5760405191610e18604084610a2b565b6020808452838101919036833783525290565b7fb3512b0c000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301480610f53575b15610ebb577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a08152610f4d60c082610a2b565b51902090565b507f00000000000000000000000000000000000000000000000000000000000000004614610e9256",
}

// RewardDistributor is an auto generated Go binding around an Ethereum contract.
type RewardDistributor struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *RewardDistributor) GetABI() abi.ABI {
	return c.abi
}

// NewRewardDistributor creates a new instance of RewardDistributor.
func NewRewardDistributor() *RewardDistributor {
	parsed, err := RewardDistributorMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &RewardDistributor{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *RewardDistributor) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address token_, address owner_, address signer_, uint96 dailyBudget_) returns()
func (rewardDistributor *RewardDistributor) PackConstructor(token_ common.Address, owner_ common.Address, signer_ common.Address, dailyBudget_ *big.Int) []byte {
	enc, err := rewardDistributor.abi.Pack("", token_, owner_, signer_, dailyBudget_)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function acceptOwnership() returns()
func (rewardDistributor *RewardDistributor) PackAcceptOwnership() []byte {
	enc, err := rewardDistributor.abi.Pack("acceptOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function acceptOwnership() returns()
func (rewardDistributor *RewardDistributor) TryPackAcceptOwnership() ([]byte, error) {
	return rewardDistributor.abi.Pack("acceptOwnership")
}

// PackAvailable is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x48a0d754.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function available() view returns(uint256)
func (rewardDistributor *RewardDistributor) PackAvailable() []byte {
	enc, err := rewardDistributor.abi.Pack("available")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAvailable is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x48a0d754.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function available() view returns(uint256)
func (rewardDistributor *RewardDistributor) TryPackAvailable() ([]byte, error) {
	return rewardDistributor.abi.Pack("available")
}

// UnpackAvailable is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x48a0d754.
//
// Solidity: function available() view returns(uint256)
func (rewardDistributor *RewardDistributor) UnpackAvailable(data []byte) (*big.Int, error) {
	out, err := rewardDistributor.abi.Unpack("available", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackClaim is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2ada8a32.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function claim(address account, uint256 cumulativeAmount, uint256 deadline, bytes signature) returns(uint256 amount)
func (rewardDistributor *RewardDistributor) PackClaim(account common.Address, cumulativeAmount *big.Int, deadline *big.Int, signature []byte) []byte {
	enc, err := rewardDistributor.abi.Pack("claim", account, cumulativeAmount, deadline, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackClaim is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2ada8a32.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function claim(address account, uint256 cumulativeAmount, uint256 deadline, bytes signature) returns(uint256 amount)
func (rewardDistributor *RewardDistributor) TryPackClaim(account common.Address, cumulativeAmount *big.Int, deadline *big.Int, signature []byte) ([]byte, error) {
	return rewardDistributor.abi.Pack("claim", account, cumulativeAmount, deadline, signature)
}

// UnpackClaim is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x2ada8a32.
//
// Solidity: function claim(address account, uint256 cumulativeAmount, uint256 deadline, bytes signature) returns(uint256 amount)
func (rewardDistributor *RewardDistributor) UnpackClaim(data []byte) (*big.Int, error) {
	out, err := rewardDistributor.abi.Unpack("claim", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackClaimDigest is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xef4952a3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function claimDigest(address account, uint256 cumulativeAmount, uint256 deadline) view returns(bytes32)
func (rewardDistributor *RewardDistributor) PackClaimDigest(account common.Address, cumulativeAmount *big.Int, deadline *big.Int) []byte {
	enc, err := rewardDistributor.abi.Pack("claimDigest", account, cumulativeAmount, deadline)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackClaimDigest is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xef4952a3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function claimDigest(address account, uint256 cumulativeAmount, uint256 deadline) view returns(bytes32)
func (rewardDistributor *RewardDistributor) TryPackClaimDigest(account common.Address, cumulativeAmount *big.Int, deadline *big.Int) ([]byte, error) {
	return rewardDistributor.abi.Pack("claimDigest", account, cumulativeAmount, deadline)
}

// UnpackClaimDigest is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xef4952a3.
//
// Solidity: function claimDigest(address account, uint256 cumulativeAmount, uint256 deadline) view returns(bytes32)
func (rewardDistributor *RewardDistributor) UnpackClaimDigest(data []byte) ([32]byte, error) {
	out, err := rewardDistributor.abi.Unpack("claimDigest", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackClaimed is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc884ef83.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function claimed(address account) view returns(uint256 amount)
func (rewardDistributor *RewardDistributor) PackClaimed(account common.Address) []byte {
	enc, err := rewardDistributor.abi.Pack("claimed", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackClaimed is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc884ef83.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function claimed(address account) view returns(uint256 amount)
func (rewardDistributor *RewardDistributor) TryPackClaimed(account common.Address) ([]byte, error) {
	return rewardDistributor.abi.Pack("claimed", account)
}

// UnpackClaimed is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc884ef83.
//
// Solidity: function claimed(address account) view returns(uint256 amount)
func (rewardDistributor *RewardDistributor) UnpackClaimed(data []byte) (*big.Int, error) {
	out, err := rewardDistributor.abi.Unpack("claimed", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackDailyBudget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4eec7da1.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function dailyBudget() view returns(uint256)
func (rewardDistributor *RewardDistributor) PackDailyBudget() []byte {
	enc, err := rewardDistributor.abi.Pack("dailyBudget")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDailyBudget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4eec7da1.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function dailyBudget() view returns(uint256)
func (rewardDistributor *RewardDistributor) TryPackDailyBudget() ([]byte, error) {
	return rewardDistributor.abi.Pack("dailyBudget")
}

// UnpackDailyBudget is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x4eec7da1.
//
// Solidity: function dailyBudget() view returns(uint256)
func (rewardDistributor *RewardDistributor) UnpackDailyBudget(data []byte) (*big.Int, error) {
	out, err := rewardDistributor.abi.Unpack("dailyBudget", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackRewardDistributorDomain is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x84b0196e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (rewardDistributor *RewardDistributor) PackRewardDistributorDomain() []byte {
	enc, err := rewardDistributor.abi.Pack("eip712Domain")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRewardDistributorDomain is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x84b0196e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (rewardDistributor *RewardDistributor) TryPackRewardDistributorDomain() ([]byte, error) {
	return rewardDistributor.abi.Pack("eip712Domain")
}

// RewardDistributorDomainOutput serves as a container for the return parameters of contract
// method RewardDistributorDomain.
type RewardDistributorDomainOutput struct {
	Fields            [1]byte
	Name              string
	Version           string
	ChainId           *big.Int
	VerifyingContract common.Address
	Salt              [32]byte
	Extensions        []*big.Int
}

// UnpackRewardDistributorDomain is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x84b0196e.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (rewardDistributor *RewardDistributor) UnpackRewardDistributorDomain(data []byte) (RewardDistributorDomainOutput, error) {
	out, err := rewardDistributor.abi.Unpack("eip712Domain", data)
	outstruct := new(RewardDistributorDomainOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Fields = *abi.ConvertType(out[0], new([1]byte)).(*[1]byte)
	outstruct.Name = *abi.ConvertType(out[1], new(string)).(*string)
	outstruct.Version = *abi.ConvertType(out[2], new(string)).(*string)
	outstruct.ChainId = abi.ConvertType(out[3], new(big.Int)).(*big.Int)
	outstruct.VerifyingContract = *abi.ConvertType(out[4], new(common.Address)).(*common.Address)
	outstruct.Salt = *abi.ConvertType(out[5], new([32]byte)).(*[32]byte)
	outstruct.Extensions = *abi.ConvertType(out[6], new([]*big.Int)).(*[]*big.Int)
	return *outstruct, nil
}

// PackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function owner() view returns(address)
func (rewardDistributor *RewardDistributor) PackOwner() []byte {
	enc, err := rewardDistributor.abi.Pack("owner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function owner() view returns(address)
func (rewardDistributor *RewardDistributor) TryPackOwner() ([]byte, error) {
	return rewardDistributor.abi.Pack("owner")
}

// UnpackOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8da5cb5b.
//
// Solidity: function owner() view returns(address)
func (rewardDistributor *RewardDistributor) UnpackOwner(data []byte) (common.Address, error) {
	out, err := rewardDistributor.abi.Unpack("owner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pendingOwner() view returns(address)
func (rewardDistributor *RewardDistributor) PackPendingOwner() []byte {
	enc, err := rewardDistributor.abi.Pack("pendingOwner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function pendingOwner() view returns(address)
func (rewardDistributor *RewardDistributor) TryPackPendingOwner() ([]byte, error) {
	return rewardDistributor.abi.Pack("pendingOwner")
}

// UnpackPendingOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe30c3978.
//
// Solidity: function pendingOwner() view returns(address)
func (rewardDistributor *RewardDistributor) UnpackPendingOwner(data []byte) (common.Address, error) {
	out, err := rewardDistributor.abi.Unpack("pendingOwner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceOwnership() view returns()
func (rewardDistributor *RewardDistributor) PackRenounceOwnership() []byte {
	enc, err := rewardDistributor.abi.Pack("renounceOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function renounceOwnership() view returns()
func (rewardDistributor *RewardDistributor) TryPackRenounceOwnership() ([]byte, error) {
	return rewardDistributor.abi.Pack("renounceOwnership")
}

// PackSetBudget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x86d9f999.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setBudget(uint96 newDailyBudget) returns()
func (rewardDistributor *RewardDistributor) PackSetBudget(newDailyBudget *big.Int) []byte {
	enc, err := rewardDistributor.abi.Pack("setBudget", newDailyBudget)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetBudget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x86d9f999.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setBudget(uint96 newDailyBudget) returns()
func (rewardDistributor *RewardDistributor) TryPackSetBudget(newDailyBudget *big.Int) ([]byte, error) {
	return rewardDistributor.abi.Pack("setBudget", newDailyBudget)
}

// PackSetSigner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c19e783.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setSigner(address newSigner) returns()
func (rewardDistributor *RewardDistributor) PackSetSigner(newSigner common.Address) []byte {
	enc, err := rewardDistributor.abi.Pack("setSigner", newSigner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetSigner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c19e783.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setSigner(address newSigner) returns()
func (rewardDistributor *RewardDistributor) TryPackSetSigner(newSigner common.Address) ([]byte, error) {
	return rewardDistributor.abi.Pack("setSigner", newSigner)
}

// PackSigner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x238ac933.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function signer() view returns(address)
func (rewardDistributor *RewardDistributor) PackSigner() []byte {
	enc, err := rewardDistributor.abi.Pack("signer")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSigner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x238ac933.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function signer() view returns(address)
func (rewardDistributor *RewardDistributor) TryPackSigner() ([]byte, error) {
	return rewardDistributor.abi.Pack("signer")
}

// UnpackSigner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x238ac933.
//
// Solidity: function signer() view returns(address)
func (rewardDistributor *RewardDistributor) UnpackSigner(data []byte) (common.Address, error) {
	out, err := rewardDistributor.abi.Unpack("signer", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackToken is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfc0c546a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function token() view returns(address)
func (rewardDistributor *RewardDistributor) PackToken() []byte {
	enc, err := rewardDistributor.abi.Pack("token")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackToken is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfc0c546a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function token() view returns(address)
func (rewardDistributor *RewardDistributor) TryPackToken() ([]byte, error) {
	return rewardDistributor.abi.Pack("token")
}

// UnpackToken is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xfc0c546a.
//
// Solidity: function token() view returns(address)
func (rewardDistributor *RewardDistributor) UnpackToken(data []byte) (common.Address, error) {
	out, err := rewardDistributor.abi.Unpack("token", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (rewardDistributor *RewardDistributor) PackTransferOwnership(newOwner common.Address) []byte {
	enc, err := rewardDistributor.abi.Pack("transferOwnership", newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (rewardDistributor *RewardDistributor) TryPackTransferOwnership(newOwner common.Address) ([]byte, error) {
	return rewardDistributor.abi.Pack("transferOwnership", newOwner)
}

// RewardDistributorBudgetChanged represents a BudgetChanged event raised by the RewardDistributor contract.
type RewardDistributorBudgetChanged struct {
	DailyBudget *big.Int
	Raw         *types.Log // Blockchain specific contextual infos
}

const RewardDistributorBudgetChangedEventName = "BudgetChanged"

// ContractEventName returns the user-defined event name.
func (RewardDistributorBudgetChanged) ContractEventName() string {
	return RewardDistributorBudgetChangedEventName
}

// UnpackBudgetChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event BudgetChanged(uint256 dailyBudget)
func (rewardDistributor *RewardDistributor) UnpackBudgetChangedEvent(log *types.Log) (*RewardDistributorBudgetChanged, error) {
	event := "BudgetChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != rewardDistributor.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(RewardDistributorBudgetChanged)
	if len(log.Data) > 0 {
		if err := rewardDistributor.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range rewardDistributor.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// RewardDistributorClaimed represents a Claimed event raised by the RewardDistributor contract.
type RewardDistributorClaimed struct {
	Account    common.Address
	Amount     *big.Int
	Cumulative *big.Int
	Raw        *types.Log // Blockchain specific contextual infos
}

const RewardDistributorClaimedEventName = "Claimed"

// ContractEventName returns the user-defined event name.
func (RewardDistributorClaimed) ContractEventName() string {
	return RewardDistributorClaimedEventName
}

// UnpackClaimedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Claimed(address indexed account, uint256 amount, uint256 cumulative)
func (rewardDistributor *RewardDistributor) UnpackClaimedEvent(log *types.Log) (*RewardDistributorClaimed, error) {
	event := "Claimed"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != rewardDistributor.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(RewardDistributorClaimed)
	if len(log.Data) > 0 {
		if err := rewardDistributor.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range rewardDistributor.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// RewardDistributorEIP712DomainChanged represents a EIP712DomainChanged event raised by the RewardDistributor contract.
type RewardDistributorEIP712DomainChanged struct {
	Raw *types.Log // Blockchain specific contextual infos
}

const RewardDistributorEIP712DomainChangedEventName = "EIP712DomainChanged"

// ContractEventName returns the user-defined event name.
func (RewardDistributorEIP712DomainChanged) ContractEventName() string {
	return RewardDistributorEIP712DomainChangedEventName
}

// UnpackEIP712DomainChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event EIP712DomainChanged()
func (rewardDistributor *RewardDistributor) UnpackEIP712DomainChangedEvent(log *types.Log) (*RewardDistributorEIP712DomainChanged, error) {
	event := "EIP712DomainChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != rewardDistributor.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(RewardDistributorEIP712DomainChanged)
	if len(log.Data) > 0 {
		if err := rewardDistributor.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range rewardDistributor.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// RewardDistributorOwnershipTransferStarted represents a OwnershipTransferStarted event raised by the RewardDistributor contract.
type RewardDistributorOwnershipTransferStarted struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const RewardDistributorOwnershipTransferStartedEventName = "OwnershipTransferStarted"

// ContractEventName returns the user-defined event name.
func (RewardDistributorOwnershipTransferStarted) ContractEventName() string {
	return RewardDistributorOwnershipTransferStartedEventName
}

// UnpackOwnershipTransferStartedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)
func (rewardDistributor *RewardDistributor) UnpackOwnershipTransferStartedEvent(log *types.Log) (*RewardDistributorOwnershipTransferStarted, error) {
	event := "OwnershipTransferStarted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != rewardDistributor.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(RewardDistributorOwnershipTransferStarted)
	if len(log.Data) > 0 {
		if err := rewardDistributor.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range rewardDistributor.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// RewardDistributorOwnershipTransferred represents a OwnershipTransferred event raised by the RewardDistributor contract.
type RewardDistributorOwnershipTransferred struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const RewardDistributorOwnershipTransferredEventName = "OwnershipTransferred"

// ContractEventName returns the user-defined event name.
func (RewardDistributorOwnershipTransferred) ContractEventName() string {
	return RewardDistributorOwnershipTransferredEventName
}

// UnpackOwnershipTransferredEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
func (rewardDistributor *RewardDistributor) UnpackOwnershipTransferredEvent(log *types.Log) (*RewardDistributorOwnershipTransferred, error) {
	event := "OwnershipTransferred"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != rewardDistributor.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(RewardDistributorOwnershipTransferred)
	if len(log.Data) > 0 {
		if err := rewardDistributor.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range rewardDistributor.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// RewardDistributorSignerChanged represents a SignerChanged event raised by the RewardDistributor contract.
type RewardDistributorSignerChanged struct {
	Signer common.Address
	Raw    *types.Log // Blockchain specific contextual infos
}

const RewardDistributorSignerChangedEventName = "SignerChanged"

// ContractEventName returns the user-defined event name.
func (RewardDistributorSignerChanged) ContractEventName() string {
	return RewardDistributorSignerChangedEventName
}

// UnpackSignerChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event SignerChanged(address indexed signer)
func (rewardDistributor *RewardDistributor) UnpackSignerChangedEvent(log *types.Log) (*RewardDistributorSignerChanged, error) {
	event := "SignerChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != rewardDistributor.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(RewardDistributorSignerChanged)
	if len(log.Data) > 0 {
		if err := rewardDistributor.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range rewardDistributor.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (rewardDistributor *RewardDistributor) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["InvalidShortString"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackInvalidShortStringError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["InvalidVoucher"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackInvalidVoucherError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["NothingToClaim"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackNothingToClaimError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["OwnableInvalidOwner"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackOwnableInvalidOwnerError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["OwnableUnauthorizedAccount"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackOwnableUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["OwnershipNotRenounceable"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackOwnershipNotRenounceableError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["SafeCastOverflowedUintDowncast"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackSafeCastOverflowedUintDowncastError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["SafeERC20FailedOperation"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackSafeERC20FailedOperationError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["StringTooLong"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackStringTooLongError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["VoucherExpired"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackVoucherExpiredError(raw[4:])
	}
	if bytes.Equal(raw[:4], rewardDistributor.abi.Errors["ZeroAddress"].ID.Bytes()[:4]) {
		return rewardDistributor.UnpackZeroAddressError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// RewardDistributorInvalidShortString represents a InvalidShortString error raised by the RewardDistributor contract.
type RewardDistributorInvalidShortString struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error InvalidShortString()
func RewardDistributorInvalidShortStringErrorID() common.Hash {
	return common.HexToHash("0xb3512b0c6163e5f0bafab72bb631b9d58cd7a731b082f910338aa21c83d5c274")
}

// UnpackInvalidShortStringError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error InvalidShortString()
func (rewardDistributor *RewardDistributor) UnpackInvalidShortStringError(raw []byte) (*RewardDistributorInvalidShortString, error) {
	out := new(RewardDistributorInvalidShortString)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "InvalidShortString", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorInvalidVoucher represents a InvalidVoucher error raised by the RewardDistributor contract.
type RewardDistributorInvalidVoucher struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error InvalidVoucher()
func RewardDistributorInvalidVoucherErrorID() common.Hash {
	return common.HexToHash("0x6d67dbd674a80dd76da9b4c12019615b7b6ccdb4c6b738388465129b7f2a435d")
}

// UnpackInvalidVoucherError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error InvalidVoucher()
func (rewardDistributor *RewardDistributor) UnpackInvalidVoucherError(raw []byte) (*RewardDistributorInvalidVoucher, error) {
	out := new(RewardDistributorInvalidVoucher)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "InvalidVoucher", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorNothingToClaim represents a NothingToClaim error raised by the RewardDistributor contract.
type RewardDistributorNothingToClaim struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NothingToClaim(address account)
func RewardDistributorNothingToClaimErrorID() common.Hash {
	return common.HexToHash("0x64ab34663471cdf42e0c6b384f4d5a5ab07a23c81e7ddc69a6fbb3a660346f9a")
}

// UnpackNothingToClaimError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NothingToClaim(address account)
func (rewardDistributor *RewardDistributor) UnpackNothingToClaimError(raw []byte) (*RewardDistributorNothingToClaim, error) {
	out := new(RewardDistributorNothingToClaim)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "NothingToClaim", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorOwnableInvalidOwner represents a OwnableInvalidOwner error raised by the RewardDistributor contract.
type RewardDistributorOwnableInvalidOwner struct {
	Owner common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableInvalidOwner(address owner)
func RewardDistributorOwnableInvalidOwnerErrorID() common.Hash {
	return common.HexToHash("0x1e4fbdf7f3ef8bcaa855599e3abf48b232380f183f08f6f813d9ffa5bd585188")
}

// UnpackOwnableInvalidOwnerError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableInvalidOwner(address owner)
func (rewardDistributor *RewardDistributor) UnpackOwnableInvalidOwnerError(raw []byte) (*RewardDistributorOwnableInvalidOwner, error) {
	out := new(RewardDistributorOwnableInvalidOwner)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "OwnableInvalidOwner", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorOwnableUnauthorizedAccount represents a OwnableUnauthorizedAccount error raised by the RewardDistributor contract.
type RewardDistributorOwnableUnauthorizedAccount struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func RewardDistributorOwnableUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0x118cdaa7a341953d1887a2245fd6665d741c67c8c50581daa59e1d03373fa188")
}

// UnpackOwnableUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func (rewardDistributor *RewardDistributor) UnpackOwnableUnauthorizedAccountError(raw []byte) (*RewardDistributorOwnableUnauthorizedAccount, error) {
	out := new(RewardDistributorOwnableUnauthorizedAccount)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "OwnableUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorOwnershipNotRenounceable represents a OwnershipNotRenounceable error raised by the RewardDistributor contract.
type RewardDistributorOwnershipNotRenounceable struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnershipNotRenounceable()
func RewardDistributorOwnershipNotRenounceableErrorID() common.Hash {
	return common.HexToHash("0x162a784670d9715f822bd46442ca5f62bb80332ad50a779aa5795da5cb6a7a45")
}

// UnpackOwnershipNotRenounceableError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnershipNotRenounceable()
func (rewardDistributor *RewardDistributor) UnpackOwnershipNotRenounceableError(raw []byte) (*RewardDistributorOwnershipNotRenounceable, error) {
	out := new(RewardDistributorOwnershipNotRenounceable)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "OwnershipNotRenounceable", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorSafeCastOverflowedUintDowncast represents a SafeCastOverflowedUintDowncast error raised by the RewardDistributor contract.
type RewardDistributorSafeCastOverflowedUintDowncast struct {
	Bits  uint8
	Value *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
func RewardDistributorSafeCastOverflowedUintDowncastErrorID() common.Hash {
	return common.HexToHash("0x6dfcc6503a32754ce7a89698e18201fc5294fd4aad43edefee786f88423b1a12")
}

// UnpackSafeCastOverflowedUintDowncastError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
func (rewardDistributor *RewardDistributor) UnpackSafeCastOverflowedUintDowncastError(raw []byte) (*RewardDistributorSafeCastOverflowedUintDowncast, error) {
	out := new(RewardDistributorSafeCastOverflowedUintDowncast)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "SafeCastOverflowedUintDowncast", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorSafeERC20FailedOperation represents a SafeERC20FailedOperation error raised by the RewardDistributor contract.
type RewardDistributorSafeERC20FailedOperation struct {
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SafeERC20FailedOperation(address token)
func RewardDistributorSafeERC20FailedOperationErrorID() common.Hash {
	return common.HexToHash("0x5274afe73c98b4749fc91ffae6b7b574e7842cb2144a159e9377a5f20b32edf9")
}

// UnpackSafeERC20FailedOperationError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SafeERC20FailedOperation(address token)
func (rewardDistributor *RewardDistributor) UnpackSafeERC20FailedOperationError(raw []byte) (*RewardDistributorSafeERC20FailedOperation, error) {
	out := new(RewardDistributorSafeERC20FailedOperation)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "SafeERC20FailedOperation", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorStringTooLong represents a StringTooLong error raised by the RewardDistributor contract.
type RewardDistributorStringTooLong struct {
	Str string
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error StringTooLong(string str)
func RewardDistributorStringTooLongErrorID() common.Hash {
	return common.HexToHash("0x305a27a93f8e33b7392df0a0f91d6fc63847395853c45991eec52dbf24d72381")
}

// UnpackStringTooLongError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error StringTooLong(string str)
func (rewardDistributor *RewardDistributor) UnpackStringTooLongError(raw []byte) (*RewardDistributorStringTooLong, error) {
	out := new(RewardDistributorStringTooLong)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "StringTooLong", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorVoucherExpired represents a VoucherExpired error raised by the RewardDistributor contract.
type RewardDistributorVoucherExpired struct {
	Deadline *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error VoucherExpired(uint256 deadline)
func RewardDistributorVoucherExpiredErrorID() common.Hash {
	return common.HexToHash("0x07185d516f2ad076154702d44817d6a410ff00d7e35d2e13a88bd1296e3b6f1c")
}

// UnpackVoucherExpiredError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error VoucherExpired(uint256 deadline)
func (rewardDistributor *RewardDistributor) UnpackVoucherExpiredError(raw []byte) (*RewardDistributorVoucherExpired, error) {
	out := new(RewardDistributorVoucherExpired)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "VoucherExpired", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RewardDistributorZeroAddress represents a ZeroAddress error raised by the RewardDistributor contract.
type RewardDistributorZeroAddress struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ZeroAddress()
func RewardDistributorZeroAddressErrorID() common.Hash {
	return common.HexToHash("0xd92e233df2717d4a40030e20904abd27b68fcbeede117eaaccbbdac9618c8c73")
}

// UnpackZeroAddressError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ZeroAddress()
func (rewardDistributor *RewardDistributor) UnpackZeroAddressError(raw []byte) (*RewardDistributorZeroAddress, error) {
	out := new(RewardDistributorZeroAddress)
	if err := rewardDistributor.abi.UnpackIntoInterface(out, "ZeroAddress", raw); err != nil {
		return nil, err
	}
	return out, nil
}
