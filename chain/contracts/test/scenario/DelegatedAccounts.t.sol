// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ballotOf, counted, walletBallot} from "../utils/Ballots.sol";
import {BatchAccount, delegate} from "../utils/Delegations.sol";
import {Signature, signPermit} from "../utils/Permits.sol";
import {expectError, signatureOf, vm} from "../utils/Vm.sol";
import {WalletStory} from "../utils/WalletStory.sol";
import {KeyWallet, OddWallet} from "../utils/Wallets.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @dev Attack: accounts that have both a key and code (EIP-7702), where the code changes between
/// blocks. A contract that treated accounts with code only as contracts would ignore their key
/// signatures and permits. A contract that accepted both forms as separate votes would count a
/// validator twice. Code that rejects every call could block a payment.
///
/// Defence: only the length of a signature determines how it is checked, whether or not the
/// account has code. Payments change a balance in the token and do not call the recipient.
contract DelegatedAccountsTest is WalletStory {
    uint256 private constant WALLET_KEY = 0xF9;

    /// @dev The validators' accounts have code that rejects every call; their key signatures still
    /// count.
    function test_KeysStillVote() external {
        address refusing = address(new OddWallet(OddWallet.Answer.No));
        uint256 taskId = _disputed(agent);
        for (uint256 i = 0; i < QUORUM; ++i) {
            delegate(keys[i], refusing);
        }
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    /// @dev A validator votes through the account's code, which accepts signatures from another
    /// key.
    function test_CodeVotes() external {
        delegate(keys[2], address(new KeyWallet(vm.addr(WALLET_KEY))));
        uint256 taskId = _disputed(agent);
        bytes32 digest = escrow.verdictDigest(taskId, true);
        bytes memory signature = signatureOf(WALLET_KEY, digest);
        escrow.approveSubmission(taskId, _keyAndCode(0, 2, digest, signature));
        _assertReleased();
    }

    /// @dev A key signature and a contract signature from one account count as one vote, in either
    /// order.
    function test_KeyAndCodeAreOneVote() external {
        delegate(keys[0], address(new KeyWallet(vm.addr(WALLET_KEY))));
        uint256 taskId = _disputed(agent);
        bytes32 digest = escrow.verdictDigest(taskId, true);
        bytes[] memory verdict = _keyAndCode(0, 0, digest, signatureOf(WALLET_KEY, digest));
        bytes memory reason = abi.encodeWithSelector(IEscrow.SignersNotAscending.selector, 1);
        vm.expectRevert(reason);
        _escrowAs(validators[0]).approveSubmission(taskId, verdict);
        (verdict[0], verdict[1]) = (verdict[1], verdict[0]);
        vm.expectRevert(reason);
        _escrowAs(validators[0]).approveSubmission(taskId, verdict);
        _assertBound();
    }

    /// @dev The delegation is removed before the verdict is submitted: the vote through the code
    /// becomes invalid, and the key's vote stays valid.
    function test_DelegationRevoked() external {
        delegate(keys[1], address(new KeyWallet(vm.addr(WALLET_KEY))));
        uint256 taskId = _disputed(agent);
        bytes32 digest = escrow.verdictDigest(taskId, true);
        bytes[] memory verdict = _keyAndCode(0, 1, digest, signatureOf(WALLET_KEY, digest));
        delegate(keys[1], address(0));
        expectError(IEscrow.InvalidSignature.selector, 1);
        _escrowAs(stranger).approveSubmission(taskId, verdict);
        _assertBound();
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    /// @dev Code that accepts every signature gives away only its own account's vote.
    function test_OpenAccountIsOneVote() external {
        address open = address(new OddWallet(OddWallet.Answer.Yes));
        delegate(keys[0], open);
        uint256 taskId = _disputed(agent);
        bytes[] memory alone = new bytes[](2);
        alone[0] = abi.encodePacked(validators[0], new bytes(65));
        alone[1] = abi.encodePacked(validators[1], new bytes(65));
        expectError(IEscrow.InvalidSignature.selector, 1);
        _escrowAs(agent).rejectSubmission(taskId, alone);

        // The contract with the code has no vote: only the delegating account is on the panel.
        alone[0] = abi.encodePacked(open, new bytes(65));
        expectError(IEscrow.NotAValidatorOfTask.selector, taskId, open);
        _escrowAs(agent).rejectSubmission(taskId, alone);
        _assertBound();
    }

    /// @dev A validator with code is still a validator and cannot post a task through a batch of
    /// calls.
    function test_ValidatorWithCodeIsNoParty() external {
        delegate(keys[0], address(new BatchAccount()));
        bytes memory post = abi.encodeCall(IEscrow.postTask, (AMOUNT, FEE, TERMS));
        expectError(BatchAccount.CallFailed.selector, 1);
        _batch(validators[0], address(escrow), AMOUNT, post);
        _assertUntouched();
    }

    /// @dev Both parties have code, and each approves the tokens and posts or applies in a single
    /// transaction. All balances are the same as without code.
    function test_PartiesWithCode() external {
        address code = address(new BatchAccount());
        delegate(AGENT_KEY, code);
        delegate(HUMAN_KEY, code);
        _batch(
            agent, address(escrow), AMOUNT, abi.encodeCall(IEscrow.postTask, (AMOUNT, FEE, TERMS))
        );
        uint256 taskId = escrow.taskCount();
        _assertBooks(1, 0, 0, 0);
        _batch(
            human,
            address(staking),
            STAKE,
            abi.encodeCall(IApplicationStaking.lockApplicationStake, (taskId, STAKE))
        );
        _accept(taskId, 1);
        _assertBound();
        _escrowAs(human).submitTask(taskId, WORK);

        // Other accounts cannot make calls through this account.
        expectError(BatchAccount.NotMyself.selector, stranger);
        vm.prank(stranger);
        BatchAccount(agent).run(new BatchAccount.Call[](0));

        vm.warp(START + 24 hours);
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    /// @dev An account with code signs its permit with its key.
    function test_PermitOfAnAccountWithCode() external {
        delegate(AGENT_KEY, address(new OddWallet(OddWallet.Answer.No)));
        vm.prank(agent);
        token.approve(address(escrow), 0);
        IERC20Permit permitToken = IERC20Permit(address(token));
        Signature memory permit = signPermit(permitToken, AGENT_KEY, address(escrow), AMOUNT, START);
        _escrowAs(agent).postTaskWithPermit(AMOUNT, FEE, START, permit.v, permit.r, permit.s);
        _assertBooks(1, 0, 0, 0);
    }

    /// @dev Between submission and payment, both parties switch to code that rejects every call.
    /// The token does not call recipients, so both are paid in full without a credit.
    function test_PayeeStartsRefusing() external {
        address refusing = address(new OddWallet(OddWallet.Answer.Reverts));
        (uint256 released, uint256 refunded) = (_disputed(agent), _disputed(agent));
        delegate(HUMAN_KEY, refusing);
        delegate(AGENT_KEY, refusing);
        _assertBooks(0, 2, 0, 0);
        escrow.approveSubmission(released, _verdict(released, true));
        _assertBooks(0, 1, 1, 0);
        escrow.rejectSubmission(refunded, _verdict(refunded, false));
        _assertBooks(0, 0, 1, 1);
    }

    /// @dev Approves the tokens and makes the `entry` call in one transaction that the account
    /// sends to itself.
    function _batch(address account, address target, uint256 amount, bytes memory entry) private {
        BatchAccount.Call[] memory calls = new BatchAccount.Call[](2);
        calls[0] =
            BatchAccount.Call(address(token), abi.encodeCall(token.approve, (target, amount)));
        calls[1] = BatchAccount.Call(target, entry);
        vm.prank(account);
        BatchAccount(account).run(calls);
    }

    /// @dev Returns one validator's key signature and another validator's contract signature.
    function _keyAndCode(uint256 byKey, uint256 byCode, bytes32 digest, bytes memory signature)
        private
        view
        returns (bytes[] memory)
    {
        return counted(ballotOf(keys[byKey], digest), walletBallot(validators[byCode], signature));
    }
}
