// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyAccount} from "../../src/PasskeyAccount.sol";
import {PasskeyAccountFactory} from "../../src/PasskeyAccountFactory.sol";
import {create, deploy} from "./Deploy.sol";
import {passkeyOf, plainOf, signedByPasskey, signedByPlain} from "./Passkeys.sol";
import {vm} from "./Vm.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev The functions of the EntryPoint v0.8 that the tests call.
interface EntryPoint {
    function getNonce(address sender, uint192 key) external view returns (uint256);
    function getUserOpHash(PackedUserOperation calldata operation) external view returns (bytes32);
    function handleOps(PackedUserOperation[] calldata operations, address payable beneficiary)
        external;
}

struct Call {
    address target;
    uint256 value;
    bytes data;
}

/// @dev The EntryPoint that public chains have, and an account with a passkey and a plain owner.
abstract contract Accounts {
    bool public constant IS_TEST = true;

    uint256 internal constant START = 1_800_000_000;
    uint256 internal constant FUNDS = 100 ether;
    bytes32 internal constant BATCH = bytes32(uint256(1) << 248);
    uint256 internal constant PASSKEY = 0xA1;
    uint256 internal constant PLAIN = 0xB1;
    uint256 internal constant STRANGER = 0xC1;
    address internal constant RELAY = address(0xD1);
    address internal constant PAYEE = address(0xD2);

    EntryPoint internal entryPoint;
    address internal verifier;
    PasskeyAccountFactory internal factory;
    PasskeyAccount internal account;
    IERC20 internal token;

    function setUp() public virtual {
        vm.warp(START);
        entryPoint = EntryPoint(
            create("node_modules/@account-abstraction/contracts/artifacts/EntryPoint.json", "")
        );
        verifier = deploy("PasskeyVerifier", "");
        factory = PasskeyAccountFactory(
            deploy("PasskeyAccountFactory", abi.encode(entryPoint, verifier))
        );
        token = IERC20(
            deploy("TaskToken", abi.encode("Task Token", "TASK", address(this), 1000 * FUNDS))
        );
        bytes[] memory owners = new bytes[](2);
        (owners[0], owners[1]) = (passkeyOf(verifier, PASSKEY), plainOf(PLAIN));
        account = PasskeyAccount(payable(factory.create(owners, 0)));
        token.transfer(address(account), FUNDS);
    }

    function _only(bytes memory owner) internal pure returns (bytes[] memory owners) {
        owners = new bytes[](1);
        owners[0] = owner;
    }

    /// @dev The batch of one call.
    function _batch(address target, bytes memory data) internal pure returns (bytes memory) {
        Call[] memory calls = new Call[](1);
        calls[0] = Call(target, 0, data);
        return abi.encode(calls);
    }

    function _transfer(uint256 amount) internal view returns (bytes memory) {
        return _batch(address(token), abi.encodeCall(token.transfer, (PAYEE, amount)));
    }

    /// @dev An unsigned operation of the account that executes the batch, with the next nonce.
    function _operation(bytes memory batch, uint48 validUntil)
        internal
        view
        returns (PackedUserOperation memory operation)
    {
        operation.sender = address(account);
        operation.nonce = entryPoint.getNonce(address(account), uint192(validUntil) << 144);
        operation.callData = abi.encodeCall(account.execute, (BATCH, batch));
        operation.accountGasLimits = bytes32(uint256(2_000_000) << 128 | 1_000_000);
    }

    function _signedByPasskey(PackedUserOperation memory operation)
        internal
        view
        returns (PackedUserOperation memory)
    {
        operation.signature =
            signedByPasskey(verifier, PASSKEY, entryPoint.getUserOpHash(operation));
        return operation;
    }

    function _signedByPlain(PackedUserOperation memory operation, uint256 key)
        internal
        view
        returns (PackedUserOperation memory)
    {
        operation.signature = signedByPlain(key, entryPoint.getUserOpHash(operation));
        return operation;
    }

    /// @dev Sends the operation as the relay does, which pays for it.
    function _send(PackedUserOperation memory operation) internal {
        PackedUserOperation[] memory operations = new PackedUserOperation[](1);
        operations[0] = operation;
        vm.prank(RELAY, RELAY);
        entryPoint.handleOps(operations, payable(RELAY));
    }

    function _expectFailedOp(string memory reason) internal {
        vm.expectRevert(abi.encodeWithSignature("FailedOp(uint256,string)", 0, reason));
    }
}
