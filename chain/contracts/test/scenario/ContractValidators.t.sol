// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Ballot, ballotOf, counted, walletBallot} from "../utils/Ballots.sol";
import {BurningWallet, FickleWallet, MeddlingWallet} from "../utils/HostileWallets.sol";
import {vm} from "../utils/Vm.sol";
import {WalletStory} from "../utils/WalletStory.sol";
import {KeyWallet, OddWallet} from "../utils/Wallets.sol";

/// @dev Attack: a validator is a smart account with hostile code: it returns nonsense, returns huge
/// data or burns gas, changes its answer, or acts during the call. It wants more than one vote, to
/// prevent a verdict, or to move money.
///
/// Defence: it is called by a static call of which 32 bytes are read, so it can only accept or
/// reject. Its signature can be omitted, because a quorum of the others suffices.
contract ContractValidatorsTest is WalletStory {
    uint256 private constant WALLET_KEY = 0xF9;
    /// @dev With the address before it longer than a key's signature, so that the wallet is asked.
    bytes private constant ANYTHING = "whatever the wallet likes to call its own signature";
    bytes private constant ANYTHING_ELSE = "what the wallet likes to call its other signature";

    function test_SignsWithItsKey() external {
        address wallet = address(new KeyWallet(vm.addr(WALLET_KEY)));
        uint256 taskId = _disputedUnder(wallet);
        bytes memory other = _signature(WALLET_KEY, escrow.verdictDigest(taskId, false));
        _refusesWallet(taskId, wallet, other);

        bytes memory own = _signature(WALLET_KEY, escrow.verdictDigest(taskId, true));
        escrow.approveSubmission(taskId, _withWallet(taskId, true, wallet, own));
        _assertReleased();
    }

    function test_AcceptsSignature() external {
        _counts(address(new OddWallet(OddWallet.Answer.Yes)));
    }

    /// @dev Of an endless answer only 32 bytes are read, and these accept.
    function test_AcceptsWithEndlessAnswer() external {
        _counts(address(new OddWallet(OddWallet.Answer.Endless)));
    }

    function test_RejectsSignature() external {
        _stopsNobody(address(new OddWallet(OddWallet.Answer.No)));
    }

    function test_AnswerTooShort() external {
        _stopsNobody(address(new OddWallet(OddWallet.Answer.Short)));
    }

    function test_Reverts() external {
        _stopsNobody(address(new OddWallet(OddWallet.Answer.Reverts)));
    }

    function test_BurnsAllGas() external {
        _stopsNobody(address(new BurningWallet()));
    }

    /// @dev Added before it was deployed, and never deployed.
    function test_HasNoCode() external {
        _stopsNobody(vm.addr(WALLET_KEY));
    }

    /// @dev It signs with the others, rejects when the verdict is submitted, and again after the
    /// payment. The first delays what the others can do without it; the second is too late.
    function test_ChangesItsMind() external {
        FickleWallet wallet = new FickleWallet();
        uint256 taskId = _disputedUnder(address(wallet));
        bytes[] memory verdict = _withWallet(taskId, true, address(wallet), ANYTHING);
        wallet.changeMind();
        _refuses(stranger, _ruling(taskId, true, verdict), _badEntry(address(wallet)));
        _assertBound();

        wallet.changeMind();
        escrow.approveSubmission(taskId, verdict);
        _assertReleased();
        wallet.changeMind();
        _assertReleased();
        _assertStatus(taskId, IEscrow.Status.Released);
    }

    /// @dev It accepts both verdicts. As a majority is needed, it decides only where the others are
    /// split, which one key against two is not.
    function test_AcceptsBothVerdicts() external {
        address wallet = address(new OddWallet(OddWallet.Answer.Yes));
        uint256 taskId = _disputedUnder(wallet);
        bytes32 digest = escrow.verdictDigest(taskId, false);
        Ballot[] memory ballots = new Ballot[](2);
        (ballots[0], ballots[1]) = (ballotOf(keys[2], digest), walletBallot(wallet, ANYTHING));
        _refuses(
            agent,
            _ruling(taskId, false, counted(ballots)),
            abi.encodeWithSelector(IEscrow.QuorumNotReached.selector, 2, WALLET_QUORUM)
        );
        _assertBound();
        escrow.approveSubmission(taskId, _withWallet(taskId, true, wallet, ANYTHING));
        _assertReleased();
    }

    /// @dev It offers two different signatures, both of which it calls good.
    function test_SignsTwice() external {
        address wallet = address(new OddWallet(OddWallet.Answer.Yes));
        uint256 taskId = _disputedUnder(wallet);
        Ballot[] memory ballots = new Ballot[](WALLET_QUORUM);
        ballots[0] = ballotOf(keys[0], escrow.verdictDigest(taskId, true));
        (ballots[1], ballots[2]) =
        (walletBallot(wallet, ANYTHING), walletBallot(wallet, ANYTHING_ELSE));
        uint256 second = wallet < validators[0] ? 1 : 2;
        _refuses(
            stranger,
            _ruling(taskId, true, counted(ballots)),
            abi.encodeWithSelector(IEscrow.SignersNotAscending.selector, second)
        );
        _assertBound();
    }

    /// @dev It tries to settle another task during the check and accepts only because it cannot:
    /// outside of the check the same call succeeds.
    function test_ActsWhileAsked() external {
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

    /// @dev Its own money also stays during the check: the whole call is static.
    function test_PaysWhileAsked() external {
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

    /// @dev A verdict with the wallet is refused whole; one without it is complete.
    function _stopsNobody(address wallet) private {
        uint256 taskId = _disputedUnder(wallet);
        _refusesWallet(taskId, wallet, ANYTHING);
        escrow.rejectSubmission(taskId, _withoutWallet(taskId, false));
        _assertRefunded();
    }

    function _refusesWallet(uint256 taskId, address wallet, bytes memory signature) private {
        bytes[] memory verdict = _withWallet(taskId, true, wallet, signature);
        _refuses(stranger, _ruling(taskId, true, verdict), _badEntry(wallet));
        _assertBound();
    }
}
