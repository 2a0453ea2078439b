// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RewardDistributor} from "../../../src/RewardDistributor.sol";
import {Treasury} from "../../../src/Treasury.sol";
import {IRewardDistributor} from "../../../src/interfaces/IRewardDistributor.sol";
import {bound, signatureOf, vm} from "../../utils/Vm.sol";
import {BookToken} from "../raw/BookToken.sol";
import {Payouts} from "./Payouts.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Simulates earners, a thief with the voucher key, and an owner who changes the settings at
/// any time. It predicts the result of every claim from its own records and stores any difference
/// in `fault`.
contract Handler {
    struct Voucher {
        uint256 key;
        address account;
        uint256 cumulative;
        uint256 deadline;
        bytes signature;
    }

    /// @dev A modification of a voucher before it is submitted.
    enum Forgery {
        None,
        HighS,
        Short,
        MoreForMe,
        ForSomebodyElse,
        LongerValid,
        OtherChain
    }

    uint256 public constant ACCOUNTS = 4;
    uint256 private constant CURVE_ORDER =
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    RewardDistributor private immutable rewards;
    Treasury private immutable treasury;
    BookToken private immutable token;
    address private immutable owner;

    Payouts public payouts;
    string public fault;
    uint256 public signerKey;
    uint256 public balance;
    uint256 public treasuryBalance;
    uint256 public paidOut;
    uint256 public claims;
    mapping(address account => uint256) public claimed;
    mapping(address account => uint256) public earned;
    mapping(address account => uint256) public mostSigned;
    Voucher[] private vouchers;

    constructor(
        RewardDistributor rewards_,
        Treasury treasury_,
        BookToken token_,
        address owner_,
        uint256 key
    ) {
        (rewards, treasury, token, owner) = (rewards_, treasury_, token_, owner_);
        (payouts, signerKey) = (new Payouts(rewards_.dailyBudget()), key);
        balance = token_.balanceOf(address(rewards_));
    }

    function account(uint256 who) public pure returns (address) {
        return [address(0xA000), address(0xA001), address(0xA002), address(0xA003)][who % ACCOUNTS];
    }

    // Vouchers.

    /// @dev Signs a voucher for the account's total with the honest key.
    function earn(uint256 who, uint256 amount, uint256 lifetime) external {
        address earner = account(who);
        earned[earner] += bound(amount, 0, 40 ether);
        if (signerKey != 0) _sign(signerKey, earner, earned[earner], bound(lifetime, 0, 20 days));
    }

    /// @dev Signs a voucher for an arbitrary amount with the stolen key.
    function steal(uint256 who, uint256 amount, uint256 lifetime, bool other) external {
        uint256 key = other ? _key(lifetime) : signerKey;
        uint256 most = amount % 3 == 0 ? type(uint256).max : 1000 ether;
        if (key != 0) {
            _sign(key, account(who), bound(amount / 3, 0, most - 1), lifetime % 400 days);
        }
    }

    /// @dev Submits a voucher, usually a recent and unmodified one, and sometimes submits it twice.
    function bring(uint256 which, uint256 forgery, bool twice) external {
        if (vouchers.length == 0) return;
        uint256 recent = vouchers.length < 4 || which % 4 == 0 ? vouchers.length : 4;
        Voucher memory voucher = vouchers[vouchers.length - 1 - which / 4 % recent];
        Forgery how = forgery % 4 == 0 ? Forgery(forgery / 4 % 7) : Forgery.None;
        _forge(voucher, how);
        _claim(voucher, how);
        if (twice) _claim(voucher, how);
    }

    // Time, deposits and settings.

    function setSigner(uint256 which, bool byOwner) external {
        // Apply only one change in four, so that enough vouchers are signed by the current key.
        if (which % 4 != 0) return;
        uint256 key = _key(which / 4);
        address signer = key == 0 ? address(0) : vm.addr(key);
        bytes memory call = abi.encodeCall(rewards.setSigner, (signer));
        if (_asOwner(address(rewards), byOwner, call)) signerKey = key;
    }

    function setBudget(uint96 budget, bool byOwner) external {
        budget = budget % 8 == 0 ? budget % 2 : uint96(bound(budget, 1 ether, 200 ether));
        bytes memory call = abi.encodeCall(rewards.setBudget, (budget));
        if (_asOwner(address(rewards), byOwner, call)) payouts.setBudget(budget);
    }

    function give(uint256 amount, bool toTreasury) external {
        amount = bound(amount, 0, 100 ether);
        address chest = toTreasury ? address(treasury) : address(rewards);
        _require(token.transfer(chest, amount), "a donation was rejected");
        if (toTreasury) treasuryBalance += amount;
        else balance += amount;
    }

    function spend(uint256 amount, bool byOwner) external {
        amount = bound(amount, 0, treasuryBalance);
        bytes memory call =
            abi.encodeCall(treasury.withdraw, (IERC20(address(token)), address(this), amount));
        if (_asOwner(address(treasury), byOwner, call)) treasuryBalance -= amount;
    }

    function refuse(uint256 who) external {
        token.refuse(who % 2 == 0 ? address(0) : account(who / 2));
    }

    /// @dev Advances the clock by seconds, hours, a day, a day plus or minus one second, several
    /// days, or to midnight.
    function pass(uint256 time) external {
        uint256 midnight = 1 days - block.timestamp % 1 days;
        uint256[8] memory spans =
            [uint256(1), 1 hours, 7 hours, 1 days - 1, 1 days, 1 days + 1, midnight, 5 days];
        vm.warp(block.timestamp + spans[time % 8]);
    }

    // Prediction of a claim's result.

    function _claim(Voucher memory voucher, Forgery how) private {
        (bytes4 refusal, uint256 due) = _foretell(voucher, how);
        uint256 chain = block.chainid;
        if (how == Forgery.OtherChain) vm.chainId(chain + 1);
        (bool success, bytes memory answer) = address(rewards)
            .call(
                abi.encodeCall(
                    rewards.claim,
                    (voucher.account, voucher.cumulative, voucher.deadline, voucher.signature)
                )
            );
        vm.chainId(chain);
        if (!success) return _require(_selector(answer) == refusal, "reverted with another error");
        _require(refusal == 0, "paid instead of reverting");
        _require(abi.decode(answer, (uint256)) == due, "paid a different amount than due");
        _book(voucher.account, due);
    }

    function _foretell(Voucher memory voucher, Forgery how)
        private
        view
        returns (bytes4 refusal, uint256 due)
    {
        if (block.timestamp > voucher.deadline) {
            return (IRewardDistributor.VoucherExpired.selector, 0);
        }
        if (how != Forgery.None || voucher.key != signerKey) {
            return (IRewardDistributor.InvalidVoucher.selector, 0);
        }
        uint256 had = claimed[voucher.account];
        due = voucher.cumulative > had ? voucher.cumulative - had : 0;
        due = _least(due, _least(payouts.available(), balance));
        if (due == 0) return (IRewardDistributor.NothingToClaim.selector, 0);
        if (token.refused() == voucher.account) refusal = BookToken.Refused.selector;
    }

    function _book(address payee, uint256 amount) private {
        ++claims;
        claimed[payee] += amount;
        balance -= amount;
        paidOut += amount;
        payouts.pay(amount);
        _require(payouts.paidWithin(0) <= payouts.largestBudget(0), "more than a budget at once");
        _require(
            payouts.paidWithin(1 days) <= 2 * payouts.largestBudget(1 days),
            "more than two in a day"
        );
    }

    function _forge(Voucher memory voucher, Forgery how) private pure {
        if (how == Forgery.HighS) voucher.signature = _highS(voucher.signature);
        else if (how == Forgery.Short) voucher.signature = _short(voucher.signature);
        else if (how == Forgery.MoreForMe) ++voucher.cumulative;
        else if (how == Forgery.ForSomebodyElse) voucher.account = address(0xBAD);
        else if (how == Forgery.LongerValid) voucher.deadline += 365 days;
    }

    /// @dev Returns the high-s form of the signature, which recovers to the same key for the same
    /// digest.
    function _highS(bytes memory signature) private pure returns (bytes memory) {
        (bytes32 r, uint256 s, uint8 v) = _split(signature);
        return abi.encodePacked(r, CURVE_ORDER - s, v == 27 ? uint8(28) : uint8(27));
    }

    /// @dev Returns the compact form of the signature (ERC-2098).
    function _short(bytes memory signature) private pure returns (bytes memory) {
        (bytes32 r, uint256 s, uint8 v) = _split(signature);
        return abi.encodePacked(r, v == 27 ? s : s | 2 ** 255);
    }

    function _split(bytes memory signature) private pure returns (bytes32 r, uint256 s, uint8 v) {
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
    }

    function _sign(uint256 key, address earner, uint256 cumulative, uint256 lifetime) private {
        uint256 deadline = block.timestamp + lifetime;
        bytes32 digest = rewards.claimDigest(earner, cumulative, deadline);
        vouchers.push(Voucher(key, earner, cumulative, deadline, signatureOf(key, digest)));
        if (cumulative > mostSigned[earner]) mostSigned[earner] = cumulative;
    }

    function _selector(bytes memory answer) private pure returns (bytes4 selector) {
        assembly ("memory-safe") {
            selector := mload(add(answer, 32))
        }
    }

    /// @dev Returns one of two keys, or sometimes 0, which is not a valid key.
    function _key(uint256 which) private pure returns (uint256) {
        return which % 5 == 4 ? 0 : 0xE1 + which % 2;
    }

    /// @dev Makes an owner-only call. Success for any other caller is recorded as a fault.
    function _asOwner(address target, bool byOwner, bytes memory call)
        private
        returns (bool success)
    {
        if (byOwner) vm.prank(owner);
        (success,) = target.call(call);
        _require(success == byOwner, byOwner ? "the owner failed" : "a stranger succeeded");
    }

    function _require(bool condition, string memory what) private {
        if (!condition && bytes(fault).length == 0) fault = what;
    }

    function _least(uint256 one, uint256 other) private pure returns (uint256) {
        return one < other ? one : other;
    }
}
