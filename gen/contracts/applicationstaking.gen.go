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

// IApplicationStakingStakeView is an auto generated low-level Go binding around an user-defined struct.
type IApplicationStakingStakeView struct {
	Human         common.Address
	IntendedAgent common.Address
	TaskId        *big.Int
	Amount        *big.Int
	ExpiresAt     *big.Int
	Status        uint8
}

// ApplicationStakingMetaData contains all meta data concerning the ApplicationStaking contract.
var ApplicationStakingMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"contractIEscrow\",\"name\":\"escrow_\",\"type\":\"address\"},{\"internalType\":\"contractIERC20\",\"name\":\"token_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"treasury_\",\"type\":\"address\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"}],\"name\":\"AgentCannotApply\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"AlreadyApplied\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"expiresAt\",\"type\":\"uint256\"}],\"name\":\"ApplicationExpired\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"ApplicationForOtherTask\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotTheApplicant\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotTheEscrow\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotTheIntendedAgent\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"NothingToWithdraw\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ReentrancyGuardReentrantCall\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint8\",\"name\":\"bits\",\"type\":\"uint8\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"SafeCastOverflowedUintDowncast\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"SafeERC20FailedOperation\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"given\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"required\",\"type\":\"uint256\"}],\"name\":\"StakeMismatch\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"internalType\":\"enumIApplicationStaking.StakeStatus\",\"name\":\"status\",\"type\":\"uint8\"}],\"name\":\"StakeNotActivated\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"internalType\":\"enumIApplicationStaking.StakeStatus\",\"name\":\"status\",\"type\":\"uint8\"}],\"name\":\"StakeNotLocked\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"TaskNotOpen\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"expected\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"received\",\"type\":\"uint256\"}],\"name\":\"TransferMismatch\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ZeroAddress\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"ApplicationForTask\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"}],\"name\":\"ApplicationRejected\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"ApplicationStakeActivated\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"ApplicationStakeForfeited\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"intendedAgent\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"expiresAt\",\"type\":\"uint256\"}],\"name\":\"ApplicationStakeLocked\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"ApplicationStakeReturned\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"ApplicationWithdrawn\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"CreditWithdrawn\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"Credited\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"APPLICATION_LIFETIME\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MAX_STAKE\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MIN_STAKE\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"STAKE_BASIS_POINTS\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"activateStake\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"escrow\",\"outputs\":[{\"internalType\":\"contractIEscrow\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"forfeitStake\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"getStake\",\"outputs\":[{\"components\":[{\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"intendedAgent\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"expiresAt\",\"type\":\"uint256\"},{\"internalType\":\"enumIApplicationStaking.StakeStatus\",\"name\":\"status\",\"type\":\"uint8\"}],\"internalType\":\"structIApplicationStaking.StakeView\",\"name\":\"\",\"type\":\"tuple\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"getStakeHuman\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"getStakeIntendedAgent\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"getStakeTask\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"lockApplicationStake\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"},{\"internalType\":\"uint8\",\"name\":\"v\",\"type\":\"uint8\"},{\"internalType\":\"bytes32\",\"name\":\"r\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"s\",\"type\":\"bytes32\"}],\"name\":\"lockApplicationStakeWithPermit\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"rejectApplication\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"requiredStake\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"returnStake\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"token\",\"outputs\":[{\"internalType\":\"contractIERC20\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"treasury\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"withdrawCredit\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"withdrawStake\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"withdrawable\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"}]",
	ID:  "ApplicationStaking",
	Bin: "0x60e03461012557601f61202338819003918201601f19168301916001600160401b03831184841017610129578084926060946040528339810103126101255780516001600160a01b03811681036101255760208201516001600160a01b038116928382036101255760400151926001600160a01b038416840361012557156101165760805260a05260c052604051611ee5908161013e823960805181818161012d01528181610abf01528181610c29015281816117a20152611c13015260a051818181610180015281816102a301528181610627015281816108750152818161090d01528181610e31015281816110ed015281816113210152611438015260c051818181610200015281816107380152610db50152f35b63d92e233d60e01b5f5260045ffd5b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe60806040526004361015610011575f80fd5b5f5f3560e01c8063136c8db41461115257806325d5971f14610f2257806326239a9514610f06578063275d95a114610e06578063499029bd14610dd957806361d027b314610d89578063630644b314610d495780636c8cc9d914610ba257806392909fda14610a7b578063a7aebcf0146108e6578063af932d1214610818578063c5e83e9714610593578063c98517c514610570578063cb1c2b5c1461054e578063ce325bf81461036e578063ce513b6f14610322578063de4973d2146102e5578063deac25dc146102c7578063e2fdcc1714610276578063f398418b146101545763fc0c546a14610101575f80fd5b34610151578060031936011261015157602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b80fd5b50346101515760206003193601126101515760043573ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016330361024a57610224906101b2611371565b6101bb81611ca6565b917f2f88355b18479fa30ca79d04a60a6a862551ecab9b673b2ea76bba639b791fec602073ffffffffffffffffffffffffffffffffffffffff604051948686521693a37f0000000000000000000000000000000000000000000000000000000000000000611ba1565b807f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d80f35b6024827fb57ce6b100000000000000000000000000000000000000000000000000000000815233600452fd5b5034610151578060031936011261015157602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5034610151578060031936011261015157602060405162093a808152f35b50346101515760206003193601126101515760206103046004356112c9565b73ffffffffffffffffffffffffffffffffffffffff60405191168152f35b50346101515760206003193601126101515760043573ffffffffffffffffffffffffffffffffffffffff811680910361036a5781604091602093528083522054604051908152f35b5080fd5b5034610151576020600319360112610151576004358160a0604051610392816111ef565b82815282602082015282604082015282606082015282608082015201526103b881611ab6565b9182548164ffffffffff8260601c16149061043073ffffffffffffffffffffffffffffffffffffffff855116956103ee856112c9565b956bffffffffffffffffffffffff60208201511693855f14610547576bffffffffffffffffffffffff8116955b1561053f5760881c64ffffffffff1695611e03565b936040519561043e876111ef565b865273ffffffffffffffffffffffffffffffffffffffff6020870191168152604086019182526bffffffffffffffffffffffff606087019316835264ffffffffff608087019416845260a08601946004811015610512579073ffffffffffffffffffffffffffffffffffffffff918652816040519751168752511660208601525160408501525160608401525160808301525160048110156104e55760c0925060a0820152f35b6024837f4e487b710000000000000000000000000000000000000000000000000000000081526021600452fd5b6024887f4e487b710000000000000000000000000000000000000000000000000000000081526021600452fd5b508895611e03565b899561041b565b5034610151578060031936011261015157602060405166038d7ea4c680008152f35b50346101515780600319360112610151576020604051678ac7230489e800008152f35b503461015157602060031936011261015157600435906105b1611371565b6105ba82611ab6565b6105c78183869496611b3a565b9160208501946bffffffffffffffffffffffff86511692604051937fa3cb2f44000000000000000000000000000000000000000000000000000000008552600485015260408460248173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa93841561080d57869087956107c7575b5073ffffffffffffffffffffffffffffffffffffffff1693843303610797571561075c5761022495965073ffffffffffffffffffffffffffffffffffffffff7f2f88355b18479fa30ca79d04a60a6a862551ecab9b673b2ea76bba639b791fec92826106c760209487611d6a565b80547fffffffffffffffffff00ffffffffffffffffffff0000000000000000000000001676030000000000000000000000000000000000000000000017905560405195857fd88c67b75067601e318509cc4cd19649c6e5b2af3396e2152bd8faf039f624a18b80a3511693858152a37f0000000000000000000000000000000000000000000000000000000000000000611ba1565b6024866bffffffffffffffffffffffff8951167f9d6bda0b000000000000000000000000000000000000000000000000000000008252600452fd5b604487857fbbea176e00000000000000000000000000000000000000000000000000000000825260045233602452fd5b73ffffffffffffffffffffffffffffffffffffffff9550610800915060403d604011610806575b6107f88183611254565b810190611295565b94610659565b503d6107ee565b6040513d88823e3d90fd5b5034610151576020600319360112610151576040517fa3cb2f44000000000000000000000000000000000000000000000000000000008152600435600482015260408160248173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa9081156108db57906108b291602093916108ba575b50611db2565b604051908152f35b6108d3915060403d604011610806576107f88183611254565b90505f6108ac565b6040513d84823e3d90fd5b5034610151576108f53661119e565b9173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000163303610a4f5761093b611371565b61094482611ab6565b610952818386979497611b3a565b50816bffffffffffffffffffffffff60208701511603610a20579373ffffffffffffffffffffffffffffffffffffffff918561099060209787611d6a565b7602000000000000000000000000000000000000000000007fffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffffffff825416179055604051947fe4522d59039c24345c4cf8f836257c39d439243afaa0ce00131e8247f5f3d3958580a35116907f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d8152f35b506044927ff57443d5000000000000000000000000000000000000000000000000000000008352600452602452fd5b807fb57ce6b1000000000000000000000000000000000000000000000000000000006024925233600452fd5b5034610b9e5760c0600319360112610b9e57602435906064359160ff8316809303610b9e57610aa8611371565b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016803b15610b9e575f809160e460209660405194859384927fd505accf0000000000000000000000000000000000000000000000000000000084523360048501523060248501528860448501526044356064850152608484015260843560a484015260a43560c48401525af1610b87575b50610b5c906004356113e5565b907f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d604051908152f35b610b949192505f90611254565b5f90610b5c610b4f565b5f80fd5b34610b9e576020600319360112610b9e5760043573ffffffffffffffffffffffffffffffffffffffff8116809103610b9e57610bdc611371565b805f525f60205260405f2054908115610d1e57805f525f6020525f6040812055807f6b00960292e7976c9eb5434816470b38a441061eee645921536131ccb937cafe6020604051858152a27f000000000000000000000000000000000000000000000000000000000000000091604051917fa9059cbb000000000000000000000000000000000000000000000000000000005f5260045260245260205f60448180865af19060015f5114821615610cfd575b60405215610cbb575f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b73ffffffffffffffffffffffffffffffffffffffff907f5274afe7000000000000000000000000000000000000000000000000000000005f521660045260245ffd5b906001811516610d1557823b15153d15161690610c8e565b503d5f823e3d90fd5b7fdc69dc16000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b34610b9e576020600319360112610b9e576004355f526002602052602073ffffffffffffffffffffffffffffffffffffffff60405f205416604051908152f35b34610b9e575f600319360112610b9e57602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b34610b9e576020600319360112610b9e576004355f526002602052602060405f205460a01c604051908152f35b34610b9e576020600319360112610b9e5760043573ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000163303610eda57610eb590610e63611371565b610e6c81611ca6565b91604051908382527f9f3368cae11cf2d1705ad6eff0c3202aca05cd785d9eede15cdeb62845a481a0602073ffffffffffffffffffffffffffffffffffffffff851693a3611ba1565b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b7fb57ce6b1000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b34610b9e575f600319360112610b9e5760206040516101f48152f35b34610b9e576020600319360112610b9e57600435610f3e611371565b610f4781611ab6565b90610f53828285611b3a565b9164ffffffffff815460881c164210908161108f575b818061106e575b61103e5780547fffffffffffffffffff00ffffffffffffffffffff00000000000000000000000016760300000000000000000000000000000000000000000000179055610eb59373ffffffffffffffffffffffffffffffffffffffff92911561100a5782825116907fa84442f7fa7080aa68affe4662553db3717da7deea79ba2aa9e5bb98f3af633a6020604051878152a35b5116611ba1565b82825116907f9f3368cae11cf2d1705ad6eff0c3202aca05cd785d9eede15cdeb62845a481a06020604051878152a3611003565b847ffa7f31de000000000000000000000000000000000000000000000000000000005f526004523360245260445ffd5b5073ffffffffffffffffffffffffffffffffffffffff835116331415610f70565b90506bffffffffffffffffffffffff602083015116604051907fa3cb2f44000000000000000000000000000000000000000000000000000000008252600482015260408160248173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa908115611147575f91611126575b50151590610f69565b61113f915060403d604011610806576107f88183611254565b90508561111d565b6040513d5f823e3d90fd5b34610b9e5760206111736111653661119e565b9061116e611371565b6113e5565b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d604051908152f35b6003196040910112610b9e576004359060243590565b60048110156111c257602452565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b60c0810190811067ffffffffffffffff82111761120b57604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6040810190811067ffffffffffffffff82111761120b57604052565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff82111761120b57604052565b9190826040910312610b9e57815173ffffffffffffffffffffffffffffffffffffffff81168103610b9e5760209092015190565b5f52600260205260405f205460a01c604051907fa3cb2f44000000000000000000000000000000000000000000000000000000008252600482015260408160248173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa908115611147575f91611354575090565b61136d915060403d604011610806576107f88183611254565b5090565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c6113bd5760017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d565b7f3ee5aeb5000000000000000000000000000000000000000000000000000000005f5260045ffd5b919091604051927fb1ed367c00000000000000000000000000000000000000000000000000000000845233600485015281602485015260408460448173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa938415611147575f905f95611a92575b508415611a665773ffffffffffffffffffffffffffffffffffffffff1693843314611a3a5761149890611db2565b808203611a0b5750815f52600360205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f5260205260405f205460ff8160b01c1660048110156111c2576001146119d557506001549164ffffffffff83169264ffffffffff84146118f65764ffffffffff60017fffffffffffffffffffffffffffffffffffffffffffffffffffffff00000000009501169384911617600155829462093a8042018042116118f65761154a90611e4b565b61155383611e91565b6040519061156082611238565b3382526bffffffffffffffffffffffff6020830191168152865f5260026020527fffffffffffffffffffffffff000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff60405f20935116915160a01b161790556115cf84611e91565b6115d886611e4b565b60405191608083019083821067ffffffffffffffff83111761120b576bffffffffffffffffffffffff9160405216825264ffffffffff602083019116815264ffffffffff60408301931692838152606083019160018352865f52600360205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f526020526bffffffffffffffffffffffff60405f209451167fffffffffffffffffffffffffffffffffffffffff00000000000000000000000085541617845551907fffffffffffffffffffff00000000000000000000ffffffffffffffffffffffff70ffffffffff00000000000000000000000075ffffffffff00000000000000000000000000000000008654935160881b169360601b169116171782555160048110156111c2577fffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffffffff76ff0000000000000000000000000000000000000000000083549260b01b169116179055604051908482526020820152847fb0b9fe59509d44745dc5104c29464589d3281bdf62cadbed747b46cf02eab6de339260408180030190a4604051927f0bdecb3758c18812a0670c5a38f6a8e54905be0c5e924aa3be891d6c33f0fbac5f80a37f00000000000000000000000000000000000000000000000000000000000000009173ffffffffffffffffffffffffffffffffffffffff83167f70a08231000000000000000000000000000000000000000000000000000000008252306004830152602082602481845afa918215611147575f926119a1575b50604051937f23b872dd000000000000000000000000000000000000000000000000000000005f5233600452306024528360445260205f60648180855af19060015f5114821615611982575b50846040525f6060521561195757836024816020937f70a082310000000000000000000000000000000000000000000000000000000082523060048301525afa928315611147575f93611923575b5082039182116118f6578082036118c8575050565b7fad48e590000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b9092506020813d60201161194f575b8161193f60209383611254565b81010312610b9e5751915f6118b3565b3d9150611932565b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b6001821516611998573b15153d1516165f611865565b853d5f823e3d90fd5b9091506020813d6020116119cd575b816119bd60209383611254565b81010312610b9e5751905f611819565b3d91506119b0565b64ffffffffff907f0269e775000000000000000000000000000000000000000000000000000000005f5260601c1660045260245ffd5b907fe18f366b000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b847f24bf5c3b000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b827f9d6bda0b000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b9050611aae91945060403d604011610806576107f88183611254565b93905f61146a565b5f6020604051611ac581611238565b82815201525f52600260205260405f209060405191611ae383611238565b5473ffffffffffffffffffffffffffffffffffffffff8116835260a01c9182602082015280925f52600360205273ffffffffffffffffffffffffffffffffffffffff8060405f20925116165f5260205260405f2090565b9082611b469183611e03565b9060048210156111c25760018203611b6c575050546bffffffffffffffffffffffff1690565b611b9c92507faf0fd4d3000000000000000000000000000000000000000000000000000000005f526004526111b4565b60445ffd5b81158015611c10575b611c0c5773ffffffffffffffffffffffffffffffffffffffff1690815f525f60205260405f208054918083018093116118f6577f9c9e0cdb1670e88302408e5b941dc636f63a3293204694bb68910fcf3d9305f39260209255604051908152a2565b5050565b507f0000000000000000000000000000000000000000000000000000000000000000604051907fa9059cbb000000000000000000000000000000000000000000000000000000005f5273ffffffffffffffffffffffffffffffffffffffff83166004528360245260205f60448180855af19060015f5114821615611c99575b5090604052611baa565b3b15153d1516165f611c8f565b90611cb082611ab6565b92611cbc848383611e03565b9060048210156111c25760028203611d3a57505082547fffffffffffffffffff00ffffffffffffffffffff0000000000000000000000008116760300000000000000000000000000000000000000000000179093555173ffffffffffffffffffffffffffffffffffffffff16916bffffffffffffffffffffffff1690565b611b9c92507f25a14699000000000000000000000000000000000000000000000000000000005f526004526111b4565b9064ffffffffff905460881c169081421015611d84575050565b7fe44f6821000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b8015611dfe576101f481029081046101f4036118f657612710900480678ac7230489e800001081678ac7230489e800001802188066038d7ea4c68000118166038d7ea4c6800018021890565b505f90565b919073ffffffffffffffffffffffffffffffffffffffff90511615611e4557549064ffffffffff8260601c16145f14611e3f5760b01c60ff1690565b50600390565b50505f90565b64ffffffffff8111611e615764ffffffffff1690565b7f6dfcc650000000000000000000000000000000000000000000000000000000005f52602860045260245260445ffd5b6bffffffffffffffffffffffff8111611eb5576bffffffffffffffffffffffff1690565b7f6dfcc650000000000000000000000000000000000000000000000000000000005f52606060045260245260445ffd",
}

// ApplicationStaking is an auto generated Go binding around an Ethereum contract.
type ApplicationStaking struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *ApplicationStaking) GetABI() abi.ABI {
	return c.abi
}

// NewApplicationStaking creates a new instance of ApplicationStaking.
func NewApplicationStaking() *ApplicationStaking {
	parsed, err := ApplicationStakingMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &ApplicationStaking{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *ApplicationStaking) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address escrow_, address token_, address treasury_) returns()
func (applicationStaking *ApplicationStaking) PackConstructor(escrow_ common.Address, token_ common.Address, treasury_ common.Address) []byte {
	enc, err := applicationStaking.abi.Pack("", escrow_, token_, treasury_)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackAPPLICATIONLIFETIME is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdeac25dc.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function APPLICATION_LIFETIME() view returns(uint256)
func (applicationStaking *ApplicationStaking) PackAPPLICATIONLIFETIME() []byte {
	enc, err := applicationStaking.abi.Pack("APPLICATION_LIFETIME")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAPPLICATIONLIFETIME is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdeac25dc.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function APPLICATION_LIFETIME() view returns(uint256)
func (applicationStaking *ApplicationStaking) TryPackAPPLICATIONLIFETIME() ([]byte, error) {
	return applicationStaking.abi.Pack("APPLICATION_LIFETIME")
}

// UnpackAPPLICATIONLIFETIME is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdeac25dc.
//
// Solidity: function APPLICATION_LIFETIME() view returns(uint256)
func (applicationStaking *ApplicationStaking) UnpackAPPLICATIONLIFETIME(data []byte) (*big.Int, error) {
	out, err := applicationStaking.abi.Unpack("APPLICATION_LIFETIME", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackMAXSTAKE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc98517c5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MAX_STAKE() view returns(uint256)
func (applicationStaking *ApplicationStaking) PackMAXSTAKE() []byte {
	enc, err := applicationStaking.abi.Pack("MAX_STAKE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMAXSTAKE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc98517c5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MAX_STAKE() view returns(uint256)
func (applicationStaking *ApplicationStaking) TryPackMAXSTAKE() ([]byte, error) {
	return applicationStaking.abi.Pack("MAX_STAKE")
}

// UnpackMAXSTAKE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc98517c5.
//
// Solidity: function MAX_STAKE() view returns(uint256)
func (applicationStaking *ApplicationStaking) UnpackMAXSTAKE(data []byte) (*big.Int, error) {
	out, err := applicationStaking.abi.Unpack("MAX_STAKE", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackMINSTAKE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xcb1c2b5c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MIN_STAKE() view returns(uint256)
func (applicationStaking *ApplicationStaking) PackMINSTAKE() []byte {
	enc, err := applicationStaking.abi.Pack("MIN_STAKE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMINSTAKE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xcb1c2b5c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MIN_STAKE() view returns(uint256)
func (applicationStaking *ApplicationStaking) TryPackMINSTAKE() ([]byte, error) {
	return applicationStaking.abi.Pack("MIN_STAKE")
}

// UnpackMINSTAKE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xcb1c2b5c.
//
// Solidity: function MIN_STAKE() view returns(uint256)
func (applicationStaking *ApplicationStaking) UnpackMINSTAKE(data []byte) (*big.Int, error) {
	out, err := applicationStaking.abi.Unpack("MIN_STAKE", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackSTAKEBASISPOINTS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x26239a95.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function STAKE_BASIS_POINTS() view returns(uint256)
func (applicationStaking *ApplicationStaking) PackSTAKEBASISPOINTS() []byte {
	enc, err := applicationStaking.abi.Pack("STAKE_BASIS_POINTS")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSTAKEBASISPOINTS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x26239a95.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function STAKE_BASIS_POINTS() view returns(uint256)
func (applicationStaking *ApplicationStaking) TryPackSTAKEBASISPOINTS() ([]byte, error) {
	return applicationStaking.abi.Pack("STAKE_BASIS_POINTS")
}

// UnpackSTAKEBASISPOINTS is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x26239a95.
//
// Solidity: function STAKE_BASIS_POINTS() view returns(uint256)
func (applicationStaking *ApplicationStaking) UnpackSTAKEBASISPOINTS(data []byte) (*big.Int, error) {
	out, err := applicationStaking.abi.Unpack("STAKE_BASIS_POINTS", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackActivateStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa7aebcf0.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function activateStake(uint256 applicationId, uint256 taskId) returns(address human)
func (applicationStaking *ApplicationStaking) PackActivateStake(applicationId *big.Int, taskId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("activateStake", applicationId, taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackActivateStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa7aebcf0.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function activateStake(uint256 applicationId, uint256 taskId) returns(address human)
func (applicationStaking *ApplicationStaking) TryPackActivateStake(applicationId *big.Int, taskId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("activateStake", applicationId, taskId)
}

// UnpackActivateStake is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa7aebcf0.
//
// Solidity: function activateStake(uint256 applicationId, uint256 taskId) returns(address human)
func (applicationStaking *ApplicationStaking) UnpackActivateStake(data []byte) (common.Address, error) {
	out, err := applicationStaking.abi.Unpack("activateStake", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackEscrow is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe2fdcc17.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function escrow() view returns(address)
func (applicationStaking *ApplicationStaking) PackEscrow() []byte {
	enc, err := applicationStaking.abi.Pack("escrow")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackEscrow is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe2fdcc17.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function escrow() view returns(address)
func (applicationStaking *ApplicationStaking) TryPackEscrow() ([]byte, error) {
	return applicationStaking.abi.Pack("escrow")
}

// UnpackEscrow is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe2fdcc17.
//
// Solidity: function escrow() view returns(address)
func (applicationStaking *ApplicationStaking) UnpackEscrow(data []byte) (common.Address, error) {
	out, err := applicationStaking.abi.Unpack("escrow", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackForfeitStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf398418b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function forfeitStake(uint256 applicationId) returns()
func (applicationStaking *ApplicationStaking) PackForfeitStake(applicationId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("forfeitStake", applicationId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackForfeitStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf398418b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function forfeitStake(uint256 applicationId) returns()
func (applicationStaking *ApplicationStaking) TryPackForfeitStake(applicationId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("forfeitStake", applicationId)
}

// PackGetStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xce325bf8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getStake(uint256 applicationId) view returns((address,address,uint256,uint256,uint256,uint8))
func (applicationStaking *ApplicationStaking) PackGetStake(applicationId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("getStake", applicationId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xce325bf8.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getStake(uint256 applicationId) view returns((address,address,uint256,uint256,uint256,uint8))
func (applicationStaking *ApplicationStaking) TryPackGetStake(applicationId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("getStake", applicationId)
}

// UnpackGetStake is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xce325bf8.
//
// Solidity: function getStake(uint256 applicationId) view returns((address,address,uint256,uint256,uint256,uint8))
func (applicationStaking *ApplicationStaking) UnpackGetStake(data []byte) (IApplicationStakingStakeView, error) {
	out, err := applicationStaking.abi.Unpack("getStake", data)
	if err != nil {
		return *new(IApplicationStakingStakeView), err
	}
	out0 := *abi.ConvertType(out[0], new(IApplicationStakingStakeView)).(*IApplicationStakingStakeView)
	return out0, nil
}

// PackGetStakeHuman is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x630644b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getStakeHuman(uint256 applicationId) view returns(address)
func (applicationStaking *ApplicationStaking) PackGetStakeHuman(applicationId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("getStakeHuman", applicationId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetStakeHuman is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x630644b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getStakeHuman(uint256 applicationId) view returns(address)
func (applicationStaking *ApplicationStaking) TryPackGetStakeHuman(applicationId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("getStakeHuman", applicationId)
}

// UnpackGetStakeHuman is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x630644b3.
//
// Solidity: function getStakeHuman(uint256 applicationId) view returns(address)
func (applicationStaking *ApplicationStaking) UnpackGetStakeHuman(data []byte) (common.Address, error) {
	out, err := applicationStaking.abi.Unpack("getStakeHuman", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackGetStakeIntendedAgent is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xde4973d2.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getStakeIntendedAgent(uint256 applicationId) view returns(address agent)
func (applicationStaking *ApplicationStaking) PackGetStakeIntendedAgent(applicationId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("getStakeIntendedAgent", applicationId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetStakeIntendedAgent is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xde4973d2.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getStakeIntendedAgent(uint256 applicationId) view returns(address agent)
func (applicationStaking *ApplicationStaking) TryPackGetStakeIntendedAgent(applicationId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("getStakeIntendedAgent", applicationId)
}

// UnpackGetStakeIntendedAgent is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xde4973d2.
//
// Solidity: function getStakeIntendedAgent(uint256 applicationId) view returns(address agent)
func (applicationStaking *ApplicationStaking) UnpackGetStakeIntendedAgent(data []byte) (common.Address, error) {
	out, err := applicationStaking.abi.Unpack("getStakeIntendedAgent", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackGetStakeTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x499029bd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getStakeTask(uint256 applicationId) view returns(uint256)
func (applicationStaking *ApplicationStaking) PackGetStakeTask(applicationId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("getStakeTask", applicationId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetStakeTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x499029bd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getStakeTask(uint256 applicationId) view returns(uint256)
func (applicationStaking *ApplicationStaking) TryPackGetStakeTask(applicationId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("getStakeTask", applicationId)
}

// UnpackGetStakeTask is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x499029bd.
//
// Solidity: function getStakeTask(uint256 applicationId) view returns(uint256)
func (applicationStaking *ApplicationStaking) UnpackGetStakeTask(data []byte) (*big.Int, error) {
	out, err := applicationStaking.abi.Unpack("getStakeTask", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackLockApplicationStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x136c8db4.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function lockApplicationStake(uint256 taskId, uint256 amount) returns(uint256 applicationId)
func (applicationStaking *ApplicationStaking) PackLockApplicationStake(taskId *big.Int, amount *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("lockApplicationStake", taskId, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackLockApplicationStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x136c8db4.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function lockApplicationStake(uint256 taskId, uint256 amount) returns(uint256 applicationId)
func (applicationStaking *ApplicationStaking) TryPackLockApplicationStake(taskId *big.Int, amount *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("lockApplicationStake", taskId, amount)
}

// UnpackLockApplicationStake is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x136c8db4.
//
// Solidity: function lockApplicationStake(uint256 taskId, uint256 amount) returns(uint256 applicationId)
func (applicationStaking *ApplicationStaking) UnpackLockApplicationStake(data []byte) (*big.Int, error) {
	out, err := applicationStaking.abi.Unpack("lockApplicationStake", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackLockApplicationStakeWithPermit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x92909fda.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function lockApplicationStakeWithPermit(uint256 taskId, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns(uint256 applicationId)
func (applicationStaking *ApplicationStaking) PackLockApplicationStakeWithPermit(taskId *big.Int, amount *big.Int, deadline *big.Int, v uint8, r [32]byte, s [32]byte) []byte {
	enc, err := applicationStaking.abi.Pack("lockApplicationStakeWithPermit", taskId, amount, deadline, v, r, s)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackLockApplicationStakeWithPermit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x92909fda.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function lockApplicationStakeWithPermit(uint256 taskId, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns(uint256 applicationId)
func (applicationStaking *ApplicationStaking) TryPackLockApplicationStakeWithPermit(taskId *big.Int, amount *big.Int, deadline *big.Int, v uint8, r [32]byte, s [32]byte) ([]byte, error) {
	return applicationStaking.abi.Pack("lockApplicationStakeWithPermit", taskId, amount, deadline, v, r, s)
}

// UnpackLockApplicationStakeWithPermit is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x92909fda.
//
// Solidity: function lockApplicationStakeWithPermit(uint256 taskId, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns(uint256 applicationId)
func (applicationStaking *ApplicationStaking) UnpackLockApplicationStakeWithPermit(data []byte) (*big.Int, error) {
	out, err := applicationStaking.abi.Unpack("lockApplicationStakeWithPermit", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackRejectApplication is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc5e83e97.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function rejectApplication(uint256 applicationId) returns()
func (applicationStaking *ApplicationStaking) PackRejectApplication(applicationId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("rejectApplication", applicationId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRejectApplication is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc5e83e97.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function rejectApplication(uint256 applicationId) returns()
func (applicationStaking *ApplicationStaking) TryPackRejectApplication(applicationId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("rejectApplication", applicationId)
}

// PackRequiredStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xaf932d12.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function requiredStake(uint256 taskId) view returns(uint256)
func (applicationStaking *ApplicationStaking) PackRequiredStake(taskId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("requiredStake", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRequiredStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xaf932d12.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function requiredStake(uint256 taskId) view returns(uint256)
func (applicationStaking *ApplicationStaking) TryPackRequiredStake(taskId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("requiredStake", taskId)
}

// UnpackRequiredStake is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xaf932d12.
//
// Solidity: function requiredStake(uint256 taskId) view returns(uint256)
func (applicationStaking *ApplicationStaking) UnpackRequiredStake(data []byte) (*big.Int, error) {
	out, err := applicationStaking.abi.Unpack("requiredStake", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackReturnStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x275d95a1.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function returnStake(uint256 applicationId) returns()
func (applicationStaking *ApplicationStaking) PackReturnStake(applicationId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("returnStake", applicationId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackReturnStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x275d95a1.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function returnStake(uint256 applicationId) returns()
func (applicationStaking *ApplicationStaking) TryPackReturnStake(applicationId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("returnStake", applicationId)
}

// PackToken is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfc0c546a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function token() view returns(address)
func (applicationStaking *ApplicationStaking) PackToken() []byte {
	enc, err := applicationStaking.abi.Pack("token")
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
func (applicationStaking *ApplicationStaking) TryPackToken() ([]byte, error) {
	return applicationStaking.abi.Pack("token")
}

// UnpackToken is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xfc0c546a.
//
// Solidity: function token() view returns(address)
func (applicationStaking *ApplicationStaking) UnpackToken(data []byte) (common.Address, error) {
	out, err := applicationStaking.abi.Unpack("token", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackTreasury is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x61d027b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function treasury() view returns(address)
func (applicationStaking *ApplicationStaking) PackTreasury() []byte {
	enc, err := applicationStaking.abi.Pack("treasury")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTreasury is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x61d027b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function treasury() view returns(address)
func (applicationStaking *ApplicationStaking) TryPackTreasury() ([]byte, error) {
	return applicationStaking.abi.Pack("treasury")
}

// UnpackTreasury is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x61d027b3.
//
// Solidity: function treasury() view returns(address)
func (applicationStaking *ApplicationStaking) UnpackTreasury(data []byte) (common.Address, error) {
	out, err := applicationStaking.abi.Unpack("treasury", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackWithdrawCredit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c8cc9d9.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdrawCredit(address account) returns()
func (applicationStaking *ApplicationStaking) PackWithdrawCredit(account common.Address) []byte {
	enc, err := applicationStaking.abi.Pack("withdrawCredit", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdrawCredit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c8cc9d9.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdrawCredit(address account) returns()
func (applicationStaking *ApplicationStaking) TryPackWithdrawCredit(account common.Address) ([]byte, error) {
	return applicationStaking.abi.Pack("withdrawCredit", account)
}

// PackWithdrawStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x25d5971f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdrawStake(uint256 applicationId) returns()
func (applicationStaking *ApplicationStaking) PackWithdrawStake(applicationId *big.Int) []byte {
	enc, err := applicationStaking.abi.Pack("withdrawStake", applicationId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdrawStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x25d5971f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdrawStake(uint256 applicationId) returns()
func (applicationStaking *ApplicationStaking) TryPackWithdrawStake(applicationId *big.Int) ([]byte, error) {
	return applicationStaking.abi.Pack("withdrawStake", applicationId)
}

// PackWithdrawable is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xce513b6f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdrawable(address account) view returns(uint256 amount)
func (applicationStaking *ApplicationStaking) PackWithdrawable(account common.Address) []byte {
	enc, err := applicationStaking.abi.Pack("withdrawable", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdrawable is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xce513b6f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdrawable(address account) view returns(uint256 amount)
func (applicationStaking *ApplicationStaking) TryPackWithdrawable(account common.Address) ([]byte, error) {
	return applicationStaking.abi.Pack("withdrawable", account)
}

// UnpackWithdrawable is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xce513b6f.
//
// Solidity: function withdrawable(address account) view returns(uint256 amount)
func (applicationStaking *ApplicationStaking) UnpackWithdrawable(data []byte) (*big.Int, error) {
	out, err := applicationStaking.abi.Unpack("withdrawable", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// ApplicationStakingApplicationForTask represents a ApplicationForTask event raised by the ApplicationStaking contract.
type ApplicationStakingApplicationForTask struct {
	ApplicationId *big.Int
	TaskId        *big.Int
	Raw           *types.Log // Blockchain specific contextual infos
}

const ApplicationStakingApplicationForTaskEventName = "ApplicationForTask"

// ContractEventName returns the user-defined event name.
func (ApplicationStakingApplicationForTask) ContractEventName() string {
	return ApplicationStakingApplicationForTaskEventName
}

// UnpackApplicationForTaskEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ApplicationForTask(uint256 indexed applicationId, uint256 indexed taskId)
func (applicationStaking *ApplicationStaking) UnpackApplicationForTaskEvent(log *types.Log) (*ApplicationStakingApplicationForTask, error) {
	event := "ApplicationForTask"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != applicationStaking.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(ApplicationStakingApplicationForTask)
	if len(log.Data) > 0 {
		if err := applicationStaking.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range applicationStaking.abi.Events[event].Inputs {
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

// ApplicationStakingApplicationRejected represents a ApplicationRejected event raised by the ApplicationStaking contract.
type ApplicationStakingApplicationRejected struct {
	ApplicationId *big.Int
	Agent         common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const ApplicationStakingApplicationRejectedEventName = "ApplicationRejected"

// ContractEventName returns the user-defined event name.
func (ApplicationStakingApplicationRejected) ContractEventName() string {
	return ApplicationStakingApplicationRejectedEventName
}

// UnpackApplicationRejectedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ApplicationRejected(uint256 indexed applicationId, address indexed agent)
func (applicationStaking *ApplicationStaking) UnpackApplicationRejectedEvent(log *types.Log) (*ApplicationStakingApplicationRejected, error) {
	event := "ApplicationRejected"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != applicationStaking.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(ApplicationStakingApplicationRejected)
	if len(log.Data) > 0 {
		if err := applicationStaking.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range applicationStaking.abi.Events[event].Inputs {
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

// ApplicationStakingApplicationStakeActivated represents a ApplicationStakeActivated event raised by the ApplicationStaking contract.
type ApplicationStakingApplicationStakeActivated struct {
	ApplicationId *big.Int
	TaskId        *big.Int
	Raw           *types.Log // Blockchain specific contextual infos
}

const ApplicationStakingApplicationStakeActivatedEventName = "ApplicationStakeActivated"

// ContractEventName returns the user-defined event name.
func (ApplicationStakingApplicationStakeActivated) ContractEventName() string {
	return ApplicationStakingApplicationStakeActivatedEventName
}

// UnpackApplicationStakeActivatedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ApplicationStakeActivated(uint256 indexed applicationId, uint256 indexed taskId)
func (applicationStaking *ApplicationStaking) UnpackApplicationStakeActivatedEvent(log *types.Log) (*ApplicationStakingApplicationStakeActivated, error) {
	event := "ApplicationStakeActivated"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != applicationStaking.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(ApplicationStakingApplicationStakeActivated)
	if len(log.Data) > 0 {
		if err := applicationStaking.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range applicationStaking.abi.Events[event].Inputs {
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

// ApplicationStakingApplicationStakeForfeited represents a ApplicationStakeForfeited event raised by the ApplicationStaking contract.
type ApplicationStakingApplicationStakeForfeited struct {
	ApplicationId *big.Int
	Human         common.Address
	Amount        *big.Int
	Raw           *types.Log // Blockchain specific contextual infos
}

const ApplicationStakingApplicationStakeForfeitedEventName = "ApplicationStakeForfeited"

// ContractEventName returns the user-defined event name.
func (ApplicationStakingApplicationStakeForfeited) ContractEventName() string {
	return ApplicationStakingApplicationStakeForfeitedEventName
}

// UnpackApplicationStakeForfeitedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ApplicationStakeForfeited(uint256 indexed applicationId, address indexed human, uint256 amount)
func (applicationStaking *ApplicationStaking) UnpackApplicationStakeForfeitedEvent(log *types.Log) (*ApplicationStakingApplicationStakeForfeited, error) {
	event := "ApplicationStakeForfeited"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != applicationStaking.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(ApplicationStakingApplicationStakeForfeited)
	if len(log.Data) > 0 {
		if err := applicationStaking.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range applicationStaking.abi.Events[event].Inputs {
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

// ApplicationStakingApplicationStakeLocked represents a ApplicationStakeLocked event raised by the ApplicationStaking contract.
type ApplicationStakingApplicationStakeLocked struct {
	ApplicationId *big.Int
	Human         common.Address
	IntendedAgent common.Address
	Amount        *big.Int
	ExpiresAt     *big.Int
	Raw           *types.Log // Blockchain specific contextual infos
}

const ApplicationStakingApplicationStakeLockedEventName = "ApplicationStakeLocked"

// ContractEventName returns the user-defined event name.
func (ApplicationStakingApplicationStakeLocked) ContractEventName() string {
	return ApplicationStakingApplicationStakeLockedEventName
}

// UnpackApplicationStakeLockedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ApplicationStakeLocked(uint256 indexed applicationId, address indexed human, address indexed intendedAgent, uint256 amount, uint256 expiresAt)
func (applicationStaking *ApplicationStaking) UnpackApplicationStakeLockedEvent(log *types.Log) (*ApplicationStakingApplicationStakeLocked, error) {
	event := "ApplicationStakeLocked"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != applicationStaking.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(ApplicationStakingApplicationStakeLocked)
	if len(log.Data) > 0 {
		if err := applicationStaking.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range applicationStaking.abi.Events[event].Inputs {
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

// ApplicationStakingApplicationStakeReturned represents a ApplicationStakeReturned event raised by the ApplicationStaking contract.
type ApplicationStakingApplicationStakeReturned struct {
	ApplicationId *big.Int
	Human         common.Address
	Amount        *big.Int
	Raw           *types.Log // Blockchain specific contextual infos
}

const ApplicationStakingApplicationStakeReturnedEventName = "ApplicationStakeReturned"

// ContractEventName returns the user-defined event name.
func (ApplicationStakingApplicationStakeReturned) ContractEventName() string {
	return ApplicationStakingApplicationStakeReturnedEventName
}

// UnpackApplicationStakeReturnedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ApplicationStakeReturned(uint256 indexed applicationId, address indexed human, uint256 amount)
func (applicationStaking *ApplicationStaking) UnpackApplicationStakeReturnedEvent(log *types.Log) (*ApplicationStakingApplicationStakeReturned, error) {
	event := "ApplicationStakeReturned"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != applicationStaking.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(ApplicationStakingApplicationStakeReturned)
	if len(log.Data) > 0 {
		if err := applicationStaking.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range applicationStaking.abi.Events[event].Inputs {
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

// ApplicationStakingApplicationWithdrawn represents a ApplicationWithdrawn event raised by the ApplicationStaking contract.
type ApplicationStakingApplicationWithdrawn struct {
	ApplicationId *big.Int
	Human         common.Address
	Amount        *big.Int
	Raw           *types.Log // Blockchain specific contextual infos
}

const ApplicationStakingApplicationWithdrawnEventName = "ApplicationWithdrawn"

// ContractEventName returns the user-defined event name.
func (ApplicationStakingApplicationWithdrawn) ContractEventName() string {
	return ApplicationStakingApplicationWithdrawnEventName
}

// UnpackApplicationWithdrawnEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ApplicationWithdrawn(uint256 indexed applicationId, address indexed human, uint256 amount)
func (applicationStaking *ApplicationStaking) UnpackApplicationWithdrawnEvent(log *types.Log) (*ApplicationStakingApplicationWithdrawn, error) {
	event := "ApplicationWithdrawn"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != applicationStaking.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(ApplicationStakingApplicationWithdrawn)
	if len(log.Data) > 0 {
		if err := applicationStaking.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range applicationStaking.abi.Events[event].Inputs {
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

// ApplicationStakingCreditWithdrawn represents a CreditWithdrawn event raised by the ApplicationStaking contract.
type ApplicationStakingCreditWithdrawn struct {
	Account common.Address
	Amount  *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const ApplicationStakingCreditWithdrawnEventName = "CreditWithdrawn"

// ContractEventName returns the user-defined event name.
func (ApplicationStakingCreditWithdrawn) ContractEventName() string {
	return ApplicationStakingCreditWithdrawnEventName
}

// UnpackCreditWithdrawnEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event CreditWithdrawn(address indexed account, uint256 amount)
func (applicationStaking *ApplicationStaking) UnpackCreditWithdrawnEvent(log *types.Log) (*ApplicationStakingCreditWithdrawn, error) {
	event := "CreditWithdrawn"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != applicationStaking.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(ApplicationStakingCreditWithdrawn)
	if len(log.Data) > 0 {
		if err := applicationStaking.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range applicationStaking.abi.Events[event].Inputs {
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

// ApplicationStakingCredited represents a Credited event raised by the ApplicationStaking contract.
type ApplicationStakingCredited struct {
	Account common.Address
	Amount  *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const ApplicationStakingCreditedEventName = "Credited"

// ContractEventName returns the user-defined event name.
func (ApplicationStakingCredited) ContractEventName() string {
	return ApplicationStakingCreditedEventName
}

// UnpackCreditedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Credited(address indexed account, uint256 amount)
func (applicationStaking *ApplicationStaking) UnpackCreditedEvent(log *types.Log) (*ApplicationStakingCredited, error) {
	event := "Credited"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != applicationStaking.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(ApplicationStakingCredited)
	if len(log.Data) > 0 {
		if err := applicationStaking.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range applicationStaking.abi.Events[event].Inputs {
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
func (applicationStaking *ApplicationStaking) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["AgentCannotApply"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackAgentCannotApplyError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["AlreadyApplied"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackAlreadyAppliedError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["ApplicationExpired"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackApplicationExpiredError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["ApplicationForOtherTask"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackApplicationForOtherTaskError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["NotTheApplicant"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackNotTheApplicantError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["NotTheEscrow"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackNotTheEscrowError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["NotTheIntendedAgent"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackNotTheIntendedAgentError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["NothingToWithdraw"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackNothingToWithdrawError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["ReentrancyGuardReentrantCall"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackReentrancyGuardReentrantCallError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["SafeCastOverflowedUintDowncast"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackSafeCastOverflowedUintDowncastError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["SafeERC20FailedOperation"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackSafeERC20FailedOperationError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["StakeMismatch"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackStakeMismatchError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["StakeNotActivated"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackStakeNotActivatedError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["StakeNotLocked"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackStakeNotLockedError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["TaskNotOpen"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackTaskNotOpenError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["TransferMismatch"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackTransferMismatchError(raw[4:])
	}
	if bytes.Equal(raw[:4], applicationStaking.abi.Errors["ZeroAddress"].ID.Bytes()[:4]) {
		return applicationStaking.UnpackZeroAddressError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// ApplicationStakingAgentCannotApply represents a AgentCannotApply error raised by the ApplicationStaking contract.
type ApplicationStakingAgentCannotApply struct {
	Agent common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AgentCannotApply(address agent)
func ApplicationStakingAgentCannotApplyErrorID() common.Hash {
	return common.HexToHash("0x24bf5c3b7d7b44826612512d5fa07e3f9f3aefb59e4b7c503c3caaba4682de69")
}

// UnpackAgentCannotApplyError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AgentCannotApply(address agent)
func (applicationStaking *ApplicationStaking) UnpackAgentCannotApplyError(raw []byte) (*ApplicationStakingAgentCannotApply, error) {
	out := new(ApplicationStakingAgentCannotApply)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "AgentCannotApply", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingAlreadyApplied represents a AlreadyApplied error raised by the ApplicationStaking contract.
type ApplicationStakingAlreadyApplied struct {
	ApplicationId *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AlreadyApplied(uint256 applicationId)
func ApplicationStakingAlreadyAppliedErrorID() common.Hash {
	return common.HexToHash("0x0269e775eed1d414c657d0f71c108ec3c3149f3571ca31e54e60b9d839e7a321")
}

// UnpackAlreadyAppliedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AlreadyApplied(uint256 applicationId)
func (applicationStaking *ApplicationStaking) UnpackAlreadyAppliedError(raw []byte) (*ApplicationStakingAlreadyApplied, error) {
	out := new(ApplicationStakingAlreadyApplied)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "AlreadyApplied", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingApplicationExpired represents a ApplicationExpired error raised by the ApplicationStaking contract.
type ApplicationStakingApplicationExpired struct {
	ApplicationId *big.Int
	ExpiresAt     *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ApplicationExpired(uint256 applicationId, uint256 expiresAt)
func ApplicationStakingApplicationExpiredErrorID() common.Hash {
	return common.HexToHash("0xe44f682141154f425e8b6a22fe817b145d28807a971c35067022af917ca8afc2")
}

// UnpackApplicationExpiredError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ApplicationExpired(uint256 applicationId, uint256 expiresAt)
func (applicationStaking *ApplicationStaking) UnpackApplicationExpiredError(raw []byte) (*ApplicationStakingApplicationExpired, error) {
	out := new(ApplicationStakingApplicationExpired)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "ApplicationExpired", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingApplicationForOtherTask represents a ApplicationForOtherTask error raised by the ApplicationStaking contract.
type ApplicationStakingApplicationForOtherTask struct {
	ApplicationId *big.Int
	TaskId        *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ApplicationForOtherTask(uint256 applicationId, uint256 taskId)
func ApplicationStakingApplicationForOtherTaskErrorID() common.Hash {
	return common.HexToHash("0xf57443d5314f1cdf71b7614bb516d7832a78cb3ac76713e71871a1258789fbf5")
}

// UnpackApplicationForOtherTaskError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ApplicationForOtherTask(uint256 applicationId, uint256 taskId)
func (applicationStaking *ApplicationStaking) UnpackApplicationForOtherTaskError(raw []byte) (*ApplicationStakingApplicationForOtherTask, error) {
	out := new(ApplicationStakingApplicationForOtherTask)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "ApplicationForOtherTask", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingNotTheApplicant represents a NotTheApplicant error raised by the ApplicationStaking contract.
type ApplicationStakingNotTheApplicant struct {
	ApplicationId *big.Int
	Caller        common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotTheApplicant(uint256 applicationId, address caller)
func ApplicationStakingNotTheApplicantErrorID() common.Hash {
	return common.HexToHash("0xfa7f31de95976431e896e8154a8f819ab06fdc125308a3537bdd23ab3c9b19a6")
}

// UnpackNotTheApplicantError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotTheApplicant(uint256 applicationId, address caller)
func (applicationStaking *ApplicationStaking) UnpackNotTheApplicantError(raw []byte) (*ApplicationStakingNotTheApplicant, error) {
	out := new(ApplicationStakingNotTheApplicant)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "NotTheApplicant", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingNotTheEscrow represents a NotTheEscrow error raised by the ApplicationStaking contract.
type ApplicationStakingNotTheEscrow struct {
	Caller common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotTheEscrow(address caller)
func ApplicationStakingNotTheEscrowErrorID() common.Hash {
	return common.HexToHash("0xb57ce6b19c5d484e74f1802427aec6901100e5902052a6dd5400e4204b0d9b7d")
}

// UnpackNotTheEscrowError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotTheEscrow(address caller)
func (applicationStaking *ApplicationStaking) UnpackNotTheEscrowError(raw []byte) (*ApplicationStakingNotTheEscrow, error) {
	out := new(ApplicationStakingNotTheEscrow)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "NotTheEscrow", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingNotTheIntendedAgent represents a NotTheIntendedAgent error raised by the ApplicationStaking contract.
type ApplicationStakingNotTheIntendedAgent struct {
	ApplicationId *big.Int
	Caller        common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotTheIntendedAgent(uint256 applicationId, address caller)
func ApplicationStakingNotTheIntendedAgentErrorID() common.Hash {
	return common.HexToHash("0xbbea176e2a3ce18e8a6af7a0329723eeb86343dd9bb71d187a44a5d0ca92e65a")
}

// UnpackNotTheIntendedAgentError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotTheIntendedAgent(uint256 applicationId, address caller)
func (applicationStaking *ApplicationStaking) UnpackNotTheIntendedAgentError(raw []byte) (*ApplicationStakingNotTheIntendedAgent, error) {
	out := new(ApplicationStakingNotTheIntendedAgent)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "NotTheIntendedAgent", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingNothingToWithdraw represents a NothingToWithdraw error raised by the ApplicationStaking contract.
type ApplicationStakingNothingToWithdraw struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NothingToWithdraw(address account)
func ApplicationStakingNothingToWithdrawErrorID() common.Hash {
	return common.HexToHash("0xdc69dc16e4a8405b44139edda9a06ee66b303337358b6f4633533d65de15b7f4")
}

// UnpackNothingToWithdrawError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NothingToWithdraw(address account)
func (applicationStaking *ApplicationStaking) UnpackNothingToWithdrawError(raw []byte) (*ApplicationStakingNothingToWithdraw, error) {
	out := new(ApplicationStakingNothingToWithdraw)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "NothingToWithdraw", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingReentrancyGuardReentrantCall represents a ReentrancyGuardReentrantCall error raised by the ApplicationStaking contract.
type ApplicationStakingReentrancyGuardReentrantCall struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ReentrancyGuardReentrantCall()
func ApplicationStakingReentrancyGuardReentrantCallErrorID() common.Hash {
	return common.HexToHash("0x3ee5aeb571de7fc460830b4d0017439a1ca56fb0bc39062227ade4fe4a24c1ca")
}

// UnpackReentrancyGuardReentrantCallError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ReentrancyGuardReentrantCall()
func (applicationStaking *ApplicationStaking) UnpackReentrancyGuardReentrantCallError(raw []byte) (*ApplicationStakingReentrancyGuardReentrantCall, error) {
	out := new(ApplicationStakingReentrancyGuardReentrantCall)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "ReentrancyGuardReentrantCall", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingSafeCastOverflowedUintDowncast represents a SafeCastOverflowedUintDowncast error raised by the ApplicationStaking contract.
type ApplicationStakingSafeCastOverflowedUintDowncast struct {
	Bits  uint8
	Value *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
func ApplicationStakingSafeCastOverflowedUintDowncastErrorID() common.Hash {
	return common.HexToHash("0x6dfcc6503a32754ce7a89698e18201fc5294fd4aad43edefee786f88423b1a12")
}

// UnpackSafeCastOverflowedUintDowncastError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
func (applicationStaking *ApplicationStaking) UnpackSafeCastOverflowedUintDowncastError(raw []byte) (*ApplicationStakingSafeCastOverflowedUintDowncast, error) {
	out := new(ApplicationStakingSafeCastOverflowedUintDowncast)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "SafeCastOverflowedUintDowncast", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingSafeERC20FailedOperation represents a SafeERC20FailedOperation error raised by the ApplicationStaking contract.
type ApplicationStakingSafeERC20FailedOperation struct {
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SafeERC20FailedOperation(address token)
func ApplicationStakingSafeERC20FailedOperationErrorID() common.Hash {
	return common.HexToHash("0x5274afe73c98b4749fc91ffae6b7b574e7842cb2144a159e9377a5f20b32edf9")
}

// UnpackSafeERC20FailedOperationError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SafeERC20FailedOperation(address token)
func (applicationStaking *ApplicationStaking) UnpackSafeERC20FailedOperationError(raw []byte) (*ApplicationStakingSafeERC20FailedOperation, error) {
	out := new(ApplicationStakingSafeERC20FailedOperation)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "SafeERC20FailedOperation", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingStakeMismatch represents a StakeMismatch error raised by the ApplicationStaking contract.
type ApplicationStakingStakeMismatch struct {
	Given    *big.Int
	Required *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error StakeMismatch(uint256 given, uint256 required)
func ApplicationStakingStakeMismatchErrorID() common.Hash {
	return common.HexToHash("0xe18f366bcf2a46456e1f9f7d61004c044266b2937c835e1b1cb65adc158a028c")
}

// UnpackStakeMismatchError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error StakeMismatch(uint256 given, uint256 required)
func (applicationStaking *ApplicationStaking) UnpackStakeMismatchError(raw []byte) (*ApplicationStakingStakeMismatch, error) {
	out := new(ApplicationStakingStakeMismatch)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "StakeMismatch", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingStakeNotActivated represents a StakeNotActivated error raised by the ApplicationStaking contract.
type ApplicationStakingStakeNotActivated struct {
	ApplicationId *big.Int
	Status        uint8
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error StakeNotActivated(uint256 applicationId, uint8 status)
func ApplicationStakingStakeNotActivatedErrorID() common.Hash {
	return common.HexToHash("0x25a146992f0a234db1d6c6d551c6a296277a3ae6cb08f7a2ca2b9eecb02153d3")
}

// UnpackStakeNotActivatedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error StakeNotActivated(uint256 applicationId, uint8 status)
func (applicationStaking *ApplicationStaking) UnpackStakeNotActivatedError(raw []byte) (*ApplicationStakingStakeNotActivated, error) {
	out := new(ApplicationStakingStakeNotActivated)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "StakeNotActivated", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingStakeNotLocked represents a StakeNotLocked error raised by the ApplicationStaking contract.
type ApplicationStakingStakeNotLocked struct {
	ApplicationId *big.Int
	Status        uint8
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error StakeNotLocked(uint256 applicationId, uint8 status)
func ApplicationStakingStakeNotLockedErrorID() common.Hash {
	return common.HexToHash("0xaf0fd4d3ef668ab83f5da4ebee708c3786a301e463932954f3e90a154d3a7371")
}

// UnpackStakeNotLockedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error StakeNotLocked(uint256 applicationId, uint8 status)
func (applicationStaking *ApplicationStaking) UnpackStakeNotLockedError(raw []byte) (*ApplicationStakingStakeNotLocked, error) {
	out := new(ApplicationStakingStakeNotLocked)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "StakeNotLocked", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingTaskNotOpen represents a TaskNotOpen error raised by the ApplicationStaking contract.
type ApplicationStakingTaskNotOpen struct {
	TaskId *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error TaskNotOpen(uint256 taskId)
func ApplicationStakingTaskNotOpenErrorID() common.Hash {
	return common.HexToHash("0x9d6bda0bf6b4709e5cee94d9ec8453c9164b780e8c1cc5f772493211db1552be")
}

// UnpackTaskNotOpenError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error TaskNotOpen(uint256 taskId)
func (applicationStaking *ApplicationStaking) UnpackTaskNotOpenError(raw []byte) (*ApplicationStakingTaskNotOpen, error) {
	out := new(ApplicationStakingTaskNotOpen)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "TaskNotOpen", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingTransferMismatch represents a TransferMismatch error raised by the ApplicationStaking contract.
type ApplicationStakingTransferMismatch struct {
	Expected *big.Int
	Received *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error TransferMismatch(uint256 expected, uint256 received)
func ApplicationStakingTransferMismatchErrorID() common.Hash {
	return common.HexToHash("0xad48e590aad0969daf0cd911caf9ac3cf200d6517523477d07e4b2e6fa73f0e2")
}

// UnpackTransferMismatchError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error TransferMismatch(uint256 expected, uint256 received)
func (applicationStaking *ApplicationStaking) UnpackTransferMismatchError(raw []byte) (*ApplicationStakingTransferMismatch, error) {
	out := new(ApplicationStakingTransferMismatch)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "TransferMismatch", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ApplicationStakingZeroAddress represents a ZeroAddress error raised by the ApplicationStaking contract.
type ApplicationStakingZeroAddress struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ZeroAddress()
func ApplicationStakingZeroAddressErrorID() common.Hash {
	return common.HexToHash("0xd92e233df2717d4a40030e20904abd27b68fcbeede117eaaccbbdac9618c8c73")
}

// UnpackZeroAddressError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ZeroAddress()
func (applicationStaking *ApplicationStaking) UnpackZeroAddressError(raw []byte) (*ApplicationStakingZeroAddress, error) {
	out := new(ApplicationStakingZeroAddress)
	if err := applicationStaking.abi.UnpackIntoInterface(out, "ZeroAddress", raw); err != nil {
		return nil, err
	}
	return out, nil
}
