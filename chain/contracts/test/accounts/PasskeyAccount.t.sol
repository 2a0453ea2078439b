// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyAccount} from "../../src/PasskeyAccount.sol";
import {Accounts, Call, EntryPoint} from "../utils/Accounts.sol";
import {create} from "../utils/Deploy.sol";
import {
    VERIFIED,
    assertionOf,
    passkeyOf,
    personalHash,
    plainOf,
    signedBy,
    signedByPasskey,
    signedByPlain
} from "../utils/Passkeys.sol";
import {signatureOf, vm} from "../utils/Vm.sol";
import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {
    MultiSignerERC7913
} from "@openzeppelin/contracts/utils/cryptography/signers/MultiSignerERC7913.sol";

contract PasskeyAccountTest is Accounts {
    uint48 private constant LATER = uint48(START + 1 hours);

    // initialize

    function test_RevertWhen_InitializedAgain() external {
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        account.initialize(_only(plainOf(STRANGER)));
        PasskeyAccount implementation = factory.implementation();
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        implementation.initialize(_only(plainOf(STRANGER)));
    }

    function test_RevertWhen_NoOwner() external {
        vm.expectRevert(
            abi.encodeWithSelector(
                MultiSignerERC7913.MultiSignerERC7913UnreachableThreshold.selector, 0, 1
            )
        );
        factory.create(new bytes[](0), 0);
    }

    // addSigners, removeSigners

    function test_RevertWhen_OwnersAreChangedOutsideABatch() external {
        address[2] memory callers = [vm.addr(PLAIN), vm.addr(STRANGER)];
        for (uint256 i = 0; i < callers.length; ++i) {
            _expectUnauthorized(callers[i]);
            vm.prank(callers[i]);
            account.addSigners(_only(plainOf(STRANGER)));
            _expectUnauthorized(callers[i]);
            vm.prank(callers[i]);
            account.removeSigners(_only(plainOf(PLAIN)));
        }
    }

    function test_RevertWhen_OwnerIsNotAllowed() external {
        bytes memory passkey = passkeyOf(verifier, 7);
        bytes[8] memory owners = [
            passkeyOf(address(0x777777), 7),
            abi.encodePacked(passkey, uint8(0)),
            abi.encodePacked(verifier, bytes32(uint256(1))),
            abi.encodePacked(address(0)),
            abi.encodePacked(address(0x4)),
            abi.encodePacked(address(0xffff)),
            abi.encodePacked(address(account)),
            abi.encodePacked(bytes19(bytes20(vm.addr(7))))
        ];
        for (uint256 i = 0; i < owners.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(PasskeyAccount.InvalidOwner.selector, owners[i]));
            vm.prank(address(entryPoint));
            account.addSigners(_only(owners[i]));
        }
        vm.prank(address(entryPoint));
        account.addSigners(_only(abi.encodePacked(address(0x10000))));
    }

    function test_RevertWhen_OwnerIsOneAlready() external {
        bytes memory owner = plainOf(PLAIN);
        vm.expectRevert(
            abi.encodeWithSelector(
                MultiSignerERC7913.MultiSignerERC7913AlreadyExists.selector, owner
            )
        );
        vm.prank(address(entryPoint));
        account.addSigners(_only(owner));
    }

    function test_RevertWhen_RemovedOwnerIsNone() external {
        bytes memory owner = plainOf(STRANGER);
        vm.expectRevert(
            abi.encodeWithSelector(
                MultiSignerERC7913.MultiSignerERC7913NonexistentSigner.selector, owner
            )
        );
        vm.prank(address(entryPoint));
        account.removeSigners(_only(owner));
    }

    function test_LastOwnerStays() external {
        _execute(vm.addr(PLAIN), _removal(passkeyOf(verifier, PASSKEY)));
        vm.expectRevert(
            abi.encodeWithSelector(
                MultiSignerERC7913.MultiSignerERC7913UnreachableThreshold.selector, 0, 1
            )
        );
        _execute(vm.addr(PLAIN), _removal(plainOf(PLAIN)));
        vm.assertTrue(account.isSigner(plainOf(PLAIN)));
    }

    function test_PasskeyReplacesThePlainOwner() external {
        Call[] memory calls = new Call[](2);
        calls[0] = Call(
            address(account), 0, abi.encodeCall(account.addSigners, (_only(plainOf(STRANGER))))
        );
        calls[1] = Call(
            address(account), 0, abi.encodeCall(account.removeSigners, (_only(plainOf(PLAIN))))
        );
        vm.expectEmit(address(account));
        emit MultiSignerERC7913.ERC7913SignerAdded(plainOf(STRANGER));
        vm.expectEmit(address(account));
        emit MultiSignerERC7913.ERC7913SignerRemoved(plainOf(PLAIN));
        _send(_signedByPasskey(_operation(abi.encode(calls), LATER)));
        _execute(vm.addr(STRANGER), _transfer(1));
        _expectUnauthorized(vm.addr(PLAIN));
        _execute(vm.addr(PLAIN), _transfer(1));
        PackedUserOperation memory operation =
            _signedByPlain(_operation(_transfer(1), LATER), PLAIN);
        _expectFailedOp("AA24 signature error");
        _send(operation);
        vm.assertEq(token.balanceOf(PAYEE), 1);
    }

    // execute

    function test_RevertWhen_Stranger() external {
        _expectUnauthorized(vm.addr(STRANGER));
        _execute(vm.addr(STRANGER), _transfer(1));
    }

    function test_RevertWhen_OtherMode() external {
        bytes32[3] memory modes = [
            bytes32(0), // a single call
            bytes32(uint256(0x0101) << 240), // a batch whose failures are ignored
            bytes32(uint256(0x01000000000078210001) << 176) // a batch with data for the account
        ];
        for (uint256 i = 0; i < modes.length; ++i) {
            vm.expectRevert(ERC7821.UnsupportedExecutionMode.selector);
            vm.prank(vm.addr(PLAIN));
            account.execute(modes[i], _transfer(1));
        }
    }

    function test_RevertWhen_ACallFails() external {
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(token), 0, abi.encodeCall(token.transfer, (PAYEE, 1)));
        calls[1] = Call(address(token), 0, abi.encodeCall(token.transfer, (PAYEE, FUNDS)));
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientBalance.selector, address(account), FUNDS - 1, FUNDS
            )
        );
        _execute(vm.addr(PLAIN), abi.encode(calls));
        vm.assertEq(token.balanceOf(PAYEE), 0);
    }

    function test_OwnersAndTheAccountExecute() external {
        _execute(vm.addr(PLAIN), _transfer(1));
        _execute(address(entryPoint), _transfer(2));
        bytes memory nested = abi.encodeCall(account.execute, (BATCH, _transfer(3)));
        _execute(vm.addr(PLAIN), _batch(address(account), nested));
        vm.assertEq(token.balanceOf(PAYEE), 6);
    }

    // validateUserOp

    function test_RevertWhen_CallerIsNotTheEntryPoint() external {
        PackedUserOperation memory operation = _signedByPasskey(_operation(_transfer(1), LATER));
        bytes32 hash = entryPoint.getUserOpHash(operation);
        _expectUnauthorized(vm.addr(PLAIN));
        vm.prank(vm.addr(PLAIN));
        account.validateUserOp(operation, hash, 0);
    }

    function test_EitherOwnerSends() external {
        _send(_signedByPasskey(_operation(_transfer(1), LATER)));
        _send(_signedByPlain(_operation(_transfer(2), LATER), PLAIN));
        _send(_signedByPlain(_operation(_transfer(3), 0), PLAIN)); // without end
        vm.assertEq(token.balanceOf(PAYEE), 6);
    }

    function test_RevertWhen_SignatureIsNotAnOwners() external {
        PackedUserOperation memory operation = _operation(_transfer(1), LATER);
        bytes32 hash = entryPoint.getUserOpHash(operation);
        bytes memory assertion = assertionOf(PASSKEY, hash, VERIFIED);
        bytes[9] memory signatures = [
            bytes(""),
            hex"01",
            signatureOf(PLAIN, hash), // without the owner's name
            signedByPlain(STRANGER, hash),
            signedByPasskey(verifier, STRANGER, hash),
            signedBy(plainOf(PLAIN), signatureOf(STRANGER, hash)),
            signedBy(passkeyOf(verifier, PASSKEY), assertionOf(STRANGER, hash, VERIFIED)),
            signedBy(passkeyOf(verifier, STRANGER), assertion),
            abi.encode(new bytes[](0), new bytes[](0))
        ];
        for (uint256 i = 0; i < signatures.length; ++i) {
            operation.signature = signatures[i];
            _expectFailedOp("AA24 signature error");
            _send(operation);
        }
    }

    function test_RevertWhen_UserOfThePasskeyWasNotVerified() external {
        PackedUserOperation memory operation = _operation(_transfer(1), LATER);
        bytes32 hash = entryPoint.getUserOpHash(operation);
        bytes1[3] memory flags = [bytes1(0), 0x01, 0x04];
        for (uint256 i = 0; i < flags.length; ++i) {
            operation.signature =
                signedBy(passkeyOf(verifier, PASSKEY), assertionOf(PASSKEY, hash, flags[i]));
            _expectFailedOp("AA24 signature error");
            _send(operation);
        }
    }

    function test_RevertWhen_Replayed() external {
        PackedUserOperation memory operation = _signedByPasskey(_operation(_transfer(1), LATER));
        _send(operation);
        _expectFailedOp("AA25 invalid account nonce");
        _send(operation);
        ++operation.nonce;
        _expectFailedOp("AA24 signature error");
        _send(operation);
    }

    function test_RevertWhen_SignedForAnotherChainAccountOrEntryPoint() external {
        PackedUserOperation memory operation = _signedByPasskey(_operation(_transfer(1), LATER));
        vm.chainId(block.chainid + 1);
        _expectFailedOp("AA24 signature error");
        _send(operation);
        vm.chainId(31_337);

        bytes[] memory owners = _only(passkeyOf(verifier, PASSKEY));
        operation.sender = factory.create(owners, 0);
        _expectFailedOp("AA24 signature error");
        _send(operation);
        operation.sender = address(account);

        EntryPoint own = entryPoint;
        entryPoint = EntryPoint(
            create("node_modules/@account-abstraction/contracts/artifacts/EntryPoint.json", "")
        );
        vm.prank(RELAY, RELAY);
        PackedUserOperation[] memory operations = new PackedUserOperation[](1);
        operations[0] = operation;
        vm.expectRevert(
            abi.encodeWithSignature(
                "FailedOpWithRevert(uint256,string,bytes)",
                0,
                "AA23 reverted",
                abi.encodeWithSelector(Account.AccountUnauthorized.selector, address(entryPoint))
            )
        );
        entryPoint.handleOps(operations, payable(RELAY));
        entryPoint = own;
        _send(operation);
        vm.assertEq(token.balanceOf(PAYEE), 1);
    }

    function test_OperationIsValidUntilTheTimeInItsNonce() external {
        PackedUserOperation memory operation = _signedByPasskey(_operation(_transfer(1), LATER));
        vm.warp(uint256(LATER) + 1);
        _expectFailedOp("AA22 expired or not due");
        _send(operation);
        vm.warp(LATER);
        _send(operation);
        vm.assertEq(token.balanceOf(PAYEE), 1);
    }

    /// @dev The entry point catches the failure, so the relay pays, and the nonce is used.
    function test_FailingCallUsesTheNonceAndNothingElse() external {
        PackedUserOperation memory operation =
            _signedByPasskey(_operation(_transfer(FUNDS + 1), LATER));
        _send(operation);
        vm.assertEq(token.balanceOf(address(account)), FUNDS);
        _expectFailedOp("AA25 invalid account nonce");
        _send(operation);
    }

    // isValidSignature

    function test_MessagesOfOwnersAreValidForTheirAccount() external {
        bytes32 message = keccak256("a message of a web app");
        bytes32 nested = personalHash(message, address(account));
        bytes memory passkey = signedByPasskey(verifier, PASSKEY, nested);
        bytes memory plain = signedByPlain(PLAIN, nested);
        vm.assertEq(bytes32(account.isValidSignature(message, passkey)), _magic());
        vm.assertEq(bytes32(account.isValidSignature(message, plain)), _magic());

        bytes32 refused = bytes32(bytes4(0xffffffff));
        bytes memory stranger = signedByPlain(STRANGER, nested);
        vm.assertEq(bytes32(account.isValidSignature(message, stranger)), refused);
        vm.assertEq(bytes32(account.isValidSignature(keccak256("another"), plain)), refused);
        bytes memory unbound = signedByPlain(PLAIN, message);
        vm.assertEq(bytes32(account.isValidSignature(message, unbound)), refused);
        address other = factory.create(_only(plainOf(PLAIN)), 0);
        vm.assertEq(
            bytes32(PasskeyAccount(payable(other)).isValidSignature(message, plain)), refused
        );
    }

    // receive

    function test_ReceivesEther() external {
        vm.deal(address(this), 1 ether);
        (bool received,) = address(account).call{value: 1 ether}("");
        vm.assertTrue(received);
        Call[] memory calls = new Call[](1);
        calls[0] = Call(PAYEE, 1 ether, "");
        _execute(vm.addr(PLAIN), abi.encode(calls));
        vm.assertEq(PAYEE.balance, 1 ether);
    }

    function _execute(address caller, bytes memory batch) private {
        vm.prank(caller);
        account.execute(BATCH, batch);
    }

    function _removal(bytes memory owner) private view returns (bytes memory) {
        return _batch(address(account), abi.encodeCall(account.removeSigners, (_only(owner))));
    }

    function _expectUnauthorized(address caller) private {
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, caller));
    }

    function _magic() private pure returns (bytes32) {
        return bytes32(IERC1271.isValidSignature.selector);
    }
}
