// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Ballot, ballotOf, counted, walletBallot} from "../utils/Ballots.sol";
import {BurningWallet, FickleWallet, MeddlingWallet} from "../utils/HostileWallets.sol";
import {expectError, signatureOf, vm} from "../utils/Vm.sol";
import {WalletStory} from "../utils/WalletStory.sol";
import {KeyWallet, OddWallet} from "../utils/Wallets.sol";

/// @dev Attack: a validator is a smart account with hostile code: it returns invalid or huge data,
/// burns gas, changes its result, or makes calls during the check. Its goal is more than one vote,
/// to prevent a verdict, or to move money.
///
/// Defence: the account is called with a static call, and only 32 bytes of the result are read, so
/// it can only accept or reject. Its signature can be omitted, because the other validators suffice
/// for a quorum.
contract ContractValidatorsTest is WalletStory {
    uint256 private constant WALLET_KEY = 0xF9;
    /// @dev With the wallet's address as a prefix, the entry is longer than a key's signature, so
    /// the wallet is called to check it.
    bytes private constant ANYTHING = "arbitrary bytes that the wallet accepts as signature";
    bytes private constant ANYTHING_ELSE = "other bytes that the wallet accepts as its signature";

    function test_SignsWithItsKey() external {
        address wallet = address(new KeyWallet(vm.addr(WALLET_KEY)));
        uint256 taskId = _disputedUnder(wallet);
        bytes memory other = signatureOf(WALLET_KEY, escrow.verdictDigest(taskId, false));
        _refusesWallet(taskId, wallet, other);

        bytes memory own = signatureOf(WALLET_KEY, escrow.verdictDigest(taskId, true));
        escrow.approveSubmission(taskId, _withWallet(taskId, true, wallet, own));
        _assertReleased();
    }

    function test_AcceptsSignature() external {
        _counts(address(new OddWallet(OddWallet.Answer.Yes)));
    }

    /// @dev The wallet returns excessive data. Only the first 32 bytes are read, and they accept.
    function test_AcceptsWithEndlessAnswer() external {
        _counts(address(new OddWallet(OddWallet.Answer.Endless)));
    }

    function test_RejectsSignature() external {
        _cannotBlock(address(new OddWallet(OddWallet.Answer.No)));
    }

    function test_AnswerTooShort() external {
        _cannotBlock(address(new OddWallet(OddWallet.Answer.Short)));
    }

    function test_Reverts() external {
        _cannotBlock(address(new OddWallet(OddWallet.Answer.Reverts)));
    }

    function test_BurnsAllGas() external {
        _cannotBlock(address(new BurningWallet()));
    }

    /// @dev An entry shorter than a key's signature is invalid, even if the wallet would accept it.
    function test_SignsTooShortly() external {
        address wallet = address(new OddWallet(OddWallet.Answer.Yes));
        _refusesWallet(_disputedUnder(wallet), wallet, new bytes(44));
    }

    /// @dev The address was added to the panel, but its code is never deployed.
    function test_HasNoCode() external {
        _cannotBlock(vm.addr(WALLET_KEY));
    }

    /// @dev The wallet signs a verdict but rejects the signature on submission, and again after the
    /// payment. The first rejection delays a verdict that the other validators can reach without
    /// the wallet; the second is too late to have any effect.
    function test_ChangesItsAnswer() external {
        FickleWallet wallet = new FickleWallet();
        uint256 taskId = _disputedUnder(address(wallet));
        bytes[] memory verdict = _withWallet(taskId, true, address(wallet), ANYTHING);
        wallet.switchAnswer();
        vm.expectRevert(_invalidSignature(address(wallet)));
        _escrowAs(stranger).approveSubmission(taskId, verdict);
        _assertBound();

        wallet.switchAnswer();
        escrow.approveSubmission(taskId, verdict);
        _assertReleased();
        wallet.switchAnswer();
        _assertReleased();
        _assertStatus(taskId, IEscrow.Status.Released);
    }

    /// @dev The wallet accepts both verdicts. A majority is needed, so its vote decides only if the
    /// other validators are equally divided.
    function test_AcceptsBothVerdicts() external {
        address wallet = address(new OddWallet(OddWallet.Answer.Yes));
        uint256 taskId = _disputedUnder(wallet);
        bytes32 digest = escrow.verdictDigest(taskId, false);
        bytes[] memory signatures =
            counted(ballotOf(keys[2], digest), walletBallot(wallet, ANYTHING));
        expectError(IEscrow.QuorumNotReached.selector, 2, WALLET_QUORUM);
        _escrowAs(agent).rejectSubmission(taskId, signatures);
        _assertBound();
        escrow.approveSubmission(taskId, _withWallet(taskId, true, wallet, ANYTHING));
        _assertReleased();
    }

    /// @dev The wallet accepts two different signatures for one verdict.
    function test_SignsTwice() external {
        address wallet = address(new OddWallet(OddWallet.Answer.Yes));
        uint256 taskId = _disputedUnder(wallet);
        Ballot[] memory ballots = new Ballot[](WALLET_QUORUM);
        ballots[0] = ballotOf(keys[0], escrow.verdictDigest(taskId, true));
        (ballots[1], ballots[2]) =
        (walletBallot(wallet, ANYTHING), walletBallot(wallet, ANYTHING_ELSE));
        uint256 second = wallet < validators[0] ? 1 : 2;
        expectError(IEscrow.SignersNotAscending.selector, second);
        _escrowAs(stranger).approveSubmission(taskId, counted(ballots));
        _assertBound();
    }

    /// @dev The wallet tries to settle another task during the check, and accepts only if that call
    /// failed. Outside the check the same call succeeds.
    function test_CannotCallDuringCheck() external {
        MeddlingWallet wallet = new MeddlingWallet();
        uint256 other = _disputed(agent);
        vm.warp(START + 120 hours);
        uint256 taskId = _disputedUnder(address(wallet));
        wallet.plan(address(escrow), abi.encodeCall(IEscrow.settle, (other)));

        escrow.approveSubmission(taskId, _withWallet(taskId, true, address(wallet), ANYTHING));
        _assertBooks(0, 1, 1, 0);
        _assertStatus(other, IEscrow.Status.Disputed);
        vm.assertTrue(wallet.act());
        _assertBooks(0, 0, 2, 0);
    }

    /// @dev The wallet cannot move its own tokens during the check either, because the call is
    /// static.
    function test_CannotPayDuringCheck() external {
        MeddlingWallet wallet = new MeddlingWallet();
        vm.assertTrue(token.transfer(address(wallet), 1));
        uint256 taskId = _disputedUnder(address(wallet));
        wallet.plan(address(token), abi.encodeCall(token.transfer, (stranger, 1)));

        escrow.approveSubmission(taskId, _withWallet(taskId, true, address(wallet), ANYTHING));
        _assertReleased();
        vm.assertEq(token.balanceOf(address(wallet)), 1);
        vm.assertTrue(wallet.act());
        vm.assertEq(token.balanceOf(stranger), 1);
    }

    function _counts(address wallet) private {
        uint256 taskId = _disputedUnder(wallet);
        escrow.approveSubmission(taskId, _withWallet(taskId, true, wallet, ANYTHING));
        _assertReleased();
    }

    /// @dev Asserts that a verdict with the wallet's signature reverts and that one without it
    /// succeeds.
    function _cannotBlock(address wallet) private {
        uint256 taskId = _disputedUnder(wallet);
        _refusesWallet(taskId, wallet, ANYTHING);
        escrow.rejectSubmission(taskId, _withoutWallet(taskId, false));
        _assertRefunded();
    }

    function _refusesWallet(uint256 taskId, address wallet, bytes memory signature) private {
        bytes[] memory verdict = _withWallet(taskId, true, wallet, signature);
        vm.expectRevert(_invalidSignature(wallet));
        _escrowAs(stranger).approveSubmission(taskId, verdict);
        _assertBound();
    }
}
