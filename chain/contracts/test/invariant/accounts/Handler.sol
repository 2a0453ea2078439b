// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyAccount} from "../../../src/PasskeyAccount.sol";
import {Accounts} from "../../utils/Accounts.sol";
import {
    passkeyOf,
    personalHash,
    plainOf,
    signedByPasskey,
    signedByPlain
} from "../../utils/Passkeys.sol";
import {bound, vm} from "../../utils/Vm.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Simulates owners who come and go, and strangers, who act through the entry point and
/// directly. It predicts the effect of every action from its own list of owners and stores any
/// difference in `fault`. The first half of the actors has passkeys, the other plain accounts.
contract Handler is Accounts {
    /// @dev A modification of an operation after it was signed.
    enum Forgery {
        None,
        OtherBatch,
        OtherTime,
        OtherAccount,
        OtherChain,
        Late
    }

    /// @dev The batches that actors execute.
    enum Wish {
        Pay,
        PayTooMuch,
        Add,
        Remove,
        AddForeign
    }

    uint256 public constant ACTORS = 8;

    string public fault;
    uint256 public balance;
    uint256 public owners;
    uint256 public moved;
    mapping(uint256 actor => bool) public isOwner;
    PackedUserOperation[] private sent;

    constructor() {
        setUp();
        account = _accountOf(0);
        token.transfer(address(account), FUNDS);
        (balance, owners, isOwner[0]) = (FUNDS, 1, true);
    }

    function subject() external view returns (PasskeyAccount) {
        return account;
    }

    function money() external view returns (IERC20) {
        return token;
    }

    function ownerOf(uint256 actor) public view returns (bytes memory) {
        return _hasPasskey(actor) ? passkeyOf(verifier, actor + 1) : plainOf(actor + 1);
    }

    // Actions.

    /// @dev An actor, usually an owner, sends an operation.
    function operate(uint256 who, uint256 wish, uint256 amount, uint256 forgery) external {
        uint256 actor = _actor(who);
        uint48 validUntil = uint48(block.timestamp + 1 hours);
        PackedUserOperation memory operation = _operation(_wished(wish, amount), validUntil);
        operation.signature = _signature(actor, entryPoint.getUserOpHash(operation));
        Forgery how = forgery % 3 == 0 ? Forgery(forgery / 3 % 6) : Forgery.None;
        uint256 chain = block.chainid;
        _forge(operation, how);
        bool accepted = _handled(operation);
        vm.chainId(chain);
        if (how == Forgery.Late) vm.warp(block.timestamp - 2 hours);
        _require(accepted == (isOwner[actor] && how == Forgery.None), "the signature");
        if (!accepted) return;
        sent.push(operation);
        _book(wish, amount);
    }

    /// @dev An actor calls the account directly.
    function callDirectly(uint256 who, uint256 wish, uint256 amount) external {
        uint256 actor = _actor(who);
        vm.prank(vm.addr(actor + 1));
        (bool success,) =
            address(account).call(abi.encodeCall(account.execute, (BATCH, _wished(wish, amount))));
        bool authorized = isOwner[actor] && !_hasPasskey(actor);
        _require(success == (authorized && _succeeds(wish, amount)), "the direct call");
        if (success) _book(wish, amount);
    }

    /// @dev Anyone sends an operation again that was executed before.
    function replay(uint256 which) external {
        if (sent.length == 0) return;
        _require(!_handled(sent[which % sent.length]), "a replay");
    }

    /// @dev Anyone calls what only the account or the entry point may call.
    function intrude(uint256 who, uint256 which) external {
        bytes[] memory list = _only(ownerOf(_actor(which / 4)));
        bytes[4] memory calls = [
            abi.encodeCall(account.addSigners, (list)),
            abi.encodeCall(account.removeSigners, (list)),
            abi.encodeCall(account.initialize, (list)),
            abi.encodeCall(account.validateUserOp, (_operation("", 0), bytes32(0), 0))
        ];
        vm.prank(vm.addr(who % ACTORS + 1));
        (bool success,) = address(account).call(calls[which % 4]);
        _require(!success, "an intrusion");
    }

    /// @dev An actor signs a message, for example to sign in.
    function signMessage(uint256 who, bytes32 message, bool forOther) external {
        uint256 actor = _actor(who);
        bytes memory signature =
            _signature(actor, personalHash(message, forOther ? RELAY : address(account)));
        bytes4 answer = account.isValidSignature(message, signature);
        bool valid = answer == IERC1271.isValidSignature.selector;
        _require(valid == (isOwner[actor] && !forOther), "the message");
    }

    function give(uint256 amount) external {
        amount = bound(amount, 0, 1 ether);
        token.transfer(address(account), amount);
        balance += amount;
    }

    // What any owner can do at any time: take the money out.

    function takeOut() external {
        uint256 actor = 0;
        while (!isOwner[actor]) ++actor;
        PackedUserOperation memory operation = _operation(_transfer(balance), 0);
        operation.signature = _signature(actor, entryPoint.getUserOpHash(operation));
        _send(operation);
    }

    // Batches and their effects.

    function _wished(uint256 wish, uint256 amount) private view returns (bytes memory) {
        Wish what = _wish(wish);
        if (what == Wish.Pay) return _transfer(bound(amount, 0, balance));
        if (what == Wish.PayTooMuch) return _transfer(balance + 1);
        bytes[] memory list = _only(
            what == Wish.AddForeign
                ? passkeyOf(address(token), amount % ACTORS + 1)
                : ownerOf(amount % ACTORS)
        );
        if (what == Wish.Remove) {
            return _batch(address(account), abi.encodeCall(account.removeSigners, (list)));
        }
        return _batch(address(account), abi.encodeCall(account.addSigners, (list)));
    }

    function _succeeds(uint256 wish, uint256 amount) private view returns (bool) {
        Wish what = _wish(wish);
        if (what == Wish.Add) return !isOwner[amount % ACTORS];
        if (what == Wish.Remove) return isOwner[amount % ACTORS] && owners > 1;
        return what == Wish.Pay;
    }

    function _book(uint256 wish, uint256 amount) private {
        if (!_succeeds(wish, amount)) return;
        Wish what = _wish(wish);
        if (what == Wish.Pay) {
            balance -= bound(amount, 0, balance);
            ++moved;
        } else {
            isOwner[amount % ACTORS] = what == Wish.Add;
            if (what == Wish.Add) ++owners;
            else --owners;
        }
    }

    function _forge(PackedUserOperation memory operation, Forgery how) private {
        if (how == Forgery.OtherBatch) {
            operation.callData = abi.encodeCall(account.execute, (BATCH, _transfer(balance / 2)));
        } else if (how == Forgery.OtherTime) {
            operation.nonce = entryPoint.getNonce(address(account), 0);
        } else if (how == Forgery.OtherAccount) {
            operation.sender = address(_accountOf(1));
        } else if (how == Forgery.OtherChain) {
            vm.chainId(block.chainid + 1);
        } else if (how == Forgery.Late) {
            vm.warp(block.timestamp + 2 hours);
        }
    }

    function _handled(PackedUserOperation memory operation) private returns (bool success) {
        PackedUserOperation[] memory operations = new PackedUserOperation[](1);
        operations[0] = operation;
        vm.prank(RELAY, RELAY);
        (success,) = address(entryPoint)
            .call(abi.encodeCall(entryPoint.handleOps, (operations, payable(RELAY))));
    }

    function _signature(uint256 actor, bytes32 hash) private view returns (bytes memory) {
        return _hasPasskey(actor)
            ? signedByPasskey(verifier, actor + 1, hash)
            : signedByPlain(actor + 1, hash);
    }

    /// @dev Usually an owner, so that enough actions have an effect.
    function _actor(uint256 who) private view returns (uint256 actor) {
        actor = who % ACTORS;
        if (who / ACTORS % 4 == 0) return actor;
        while (!isOwner[actor]) actor = (actor + 1) % ACTORS;
    }

    function _wish(uint256 wish) private pure returns (Wish) {
        return Wish(wish % 5);
    }

    /// @dev The account whose first owner is the actor.
    function _accountOf(uint256 actor) private returns (PasskeyAccount) {
        return PasskeyAccount(payable(factory.create(_only(ownerOf(actor)), 0)));
    }

    function _hasPasskey(uint256 actor) private pure returns (bool) {
        return actor < ACTORS / 2;
    }

    function _require(bool condition, string memory what) private {
        if (!condition && bytes(fault).length == 0) fault = what;
    }
}
